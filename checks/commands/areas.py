"""``torchrl-smoke areas [PATH | SYMBOL | LABEL | WORD ...]``: who owns this, and what belongs to it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from torchrl_preflight.hooks.report import printable

if TYPE_CHECKING:
    from ..owner import Owner

SUMMARY = "who owns a file, a name, a label or a word: areas, checks, optional packages, tests, documentation, CI jobs, labels"

_SHOWN = 8  # of a long list in text; json has all


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "queries",
        nargs="*",
        metavar="PATH | SYMBOL | LABEL | WORD",
        help="as torchrl/objectives/ppo.py, ParallelEnv, vLLM (default: every area)",
    )
    parser.add_argument(
        "--repo", default=".", metavar="DIR", help="checkout of pytorch/rl (default: here, or else installed)"
    )


def main(arguments: argparse.Namespace) -> int:
    from torchrl_preflight.hooks.run import UsageError

    from ..owner import owner, suggestions
    from ..routes import subjects
    from ..target import opened

    with opened(arguments.repo) as project:
        answers = []
        for query in arguments.queries or [it.area for it in subjects()]:
            found = owner(query, project)
            if found is None:
                close = suggestions(query, project)
                words = f"did you mean {' or '.join(close)}?" if close else "torchrl-smoke areas lists what is known"
                raise UsageError(f"nothing is known of {query!r}; {words}")
            answers.append(found)
    if arguments.format == "json":
        print(json.dumps({"schema": 1, "answers": [_plain(it) for it in answers]}, indent=1))
    else:
        show = _markdown if arguments.format == "markdown" else _text
        print("\n".join(line for it in answers for line in show(it)).rstrip())
    return 0


def _plain(it: Owner) -> dict[str, Any]:
    return {
        **it._asdict(),
        "areas": [subject.area for subject in it.subjects],
        "subjects": [subject._asdict() for subject in it.subjects],
        "backends": [
            {"name": row.name, "use": row.use, "extra": row.extra, "install": row.command} for row in it.backends
        ],
    }


def _lines(it: Owner) -> Iterator[tuple[str, str]]:
    """(what, the words) of everything that belongs to an answer."""
    yield "area", ", ".join(f"{subject.area} ({subject.title})" for subject in it.subjects) or "none"
    if it.subjects:
        areas = [subject.area for subject in it.subjects]
        yield "run", f"torchrl-smoke {' '.join(f'--area {area}' for area in areas)}"
    yield "checks", _few(it.checks)
    yield "tests", _few(it.tests)
    yield "jobs", _few(it.jobs)
    yield "labels", _few(it.labels)
    yield "may need", "; ".join(f"{row.name}: {row.command}" for row in it.backends)
    yield "documentation", ", ".join(dict.fromkeys(subject.page for subject in it.subjects))


def _text(it: Owner) -> Iterator[str]:
    yield f"{printable(it.query)}: {it.kind}" + (f" {printable(it.found)}" if it.found != it.query else "")
    for what, words in _lines(it):
        if words:
            yield f"  {what:<14} {printable(words)}"
    yield ""


def _markdown(it: Owner) -> Iterator[str]:
    yield f"### {printable(it.query)}\n"
    for what, words in _lines(it):
        if words:
            yield f"- {what}: {printable(words)}"
    yield ""


def _few(them: tuple[str, ...]) -> str:
    more = f" and {len(them) - _SHOWN} more" if len(them) > _SHOWN else ""
    return ", ".join(them[:_SHOWN]) + more
