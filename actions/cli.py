"""``torchrl-preflight``: the whole pipeline, here, now."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

from torchrl_preflight.checks.progress import shown_on
from torchrl_preflight.hooks.git import GitError
from torchrl_preflight.hooks.parser import Parser
from torchrl_preflight.hooks.profile import ConfigError

from . import pipeline

_COLORS = {"passed": "32", "failed": "31", "unverified": "33", "blocked": "33"}
_REPORT_BUGS = "please report it with the command and the traceback that TORCHRL_PREFLIGHT_DEBUG=1 prints"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs ``torchrl-preflight``.

    Args:
        argv: arguments without the program's name.

    Returns:
        The exit status: 0 nothing failed, 1 a new error or a failed check, 2 wrong usage or an
        unreadable repository, 3 nothing could be verified, 70 an internal error, 130 and 143 interrupted.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    parser = Parser(
        prog="torchrl-preflight",
        description="Run before sending a pull request: judge the branch by the maintainers' rules, then run smoke checks.",
    )
    parser.add_argument("--base", metavar="REF", help="compare with this commit (default: merge base with the remote's default branch)")
    base = parser.parse_args(argv).base
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the process of the checks is ended, too
    try:
        return _report(base)
    except (GitError, ConfigError) as error:
        print(f"torchrl-preflight: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get("TORCHRL_PREFLIGHT_DEBUG"):
            raise
        print(f"torchrl-preflight: internal error ({type(error).__name__}: {error}); {_REPORT_BUGS}", file=sys.stderr)
        return 70
    finally:
        signal.signal(signal.SIGTERM, before)


def _report(base: str | None) -> int:
    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    with shown_on(sys.stderr) as progress:
        done = list(pipeline.stages(base, color, progress))
    for stage in done:
        print(f"{_bold(stage.name, color)}\n\n{stage.body}")
    width = max(len(stage.name) for stage in done)
    for stage in done:
        status = f"\033[{_COLORS[stage.status]}m{stage.status:10}\033[0m" if color else f"{stage.status:10}"
        print(f"{stage.name:{width}}  {status}  {stage.summary}")
    return pipeline.exit_status(done)


def _bold(text: str, color: bool) -> str:
    return f"\033[1m{text}\033[0m" if color else f"== {text} =="
