"""``torchrl-preflight``: the whole pipeline, here, now."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from torchrl_preflight.checks.progress import shown_on
from torchrl_preflight.hooks.command import Parser, guarded
from torchrl_preflight.hooks.git import GitError
from torchrl_preflight.hooks.profile import ConfigError

from . import pipeline
from .github.job import Unusable

_COLORS = {"passed": "32", "not needed": "32", "failed": "31", "unverified": "33", "blocked": "33"}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs ``torchrl-preflight``.

    Args:
        argv: arguments without the program's name.

    Returns:
        The exit status: 0 nothing failed, 1 a new error or a failed check, 2 wrong usage or an
        unreadable repository, 3 nothing could be verified, 70 an internal error, 130 and 143 interrupted.
    """
    parser = Parser(
        prog="torchrl-preflight",
        description="Run before sending a pull request: judge the branch by the maintainers' rules, name its labels, plan what "
        "to run for it, and run the smoke checks.",
    )
    parser.add_argument("--base", metavar="REF", help="compare with this commit (default: chosen from the branch)")
    parser.add_argument(
        "--pr",
        type=_number,
        metavar="N",
        help="the pull request that the branch belongs to: its title, author and base are read from GitHub, with GITHUB_TOKEN",
    )
    return guarded(
        "torchrl-preflight",
        lambda: _report(parser.parse_args(argv)),
        dict.fromkeys((GitError, ConfigError, Unusable), 2),
    )


def _report(arguments: argparse.Namespace) -> int:
    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    with shown_on(sys.stderr) as progress:
        done = list(pipeline.stages(arguments.base, color, progress, arguments.pr))
    for stage in done:
        print(f"{_bold(stage.name, color)}\n\n{stage.body}")
    width = max(len(stage.name) for stage in done)
    for stage in done:
        status = f"\033[{_COLORS[stage.status]}m{stage.status:10}\033[0m" if color else f"{stage.status:10}"
        print(f"{stage.name:{width}}  {status}  {stage.summary}")
    return pipeline.exit_status(done)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a pull request")
    return int(text)


def _bold(text: str, color: bool) -> str:
    return f"\033[1m{text}\033[0m" if color else f"== {text} =="
