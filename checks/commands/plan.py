"""``torchrl-smoke plan``: what to run for a change, with the reason for each line and the minutes to expect."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from torchrl_preflight.hooks.report import printable

SUMMARY = "what to run for a change: areas of checks, test files, labels, and a matrix of jobs"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repo", default=".", metavar="DIR", help="repository to look at (default: here)")
    parser.add_argument("--ref", metavar="TREEISH", help="look at this commit instead of the working tree")
    parser.add_argument(
        "--base", metavar="TREEISH", help="compare with this commit (default: chosen from the branch or the CI event)"
    )


def main(arguments: argparse.Namespace) -> int:
    from torchrl_preflight.hooks.run import Options

    from ..plan import plan

    made = plan(Options(repo=arguments.repo, ref=arguments.ref, base=arguments.base))
    if arguments.format == "json":
        # a job's log must not read a command in it
        print(json.dumps(made, indent=1).replace("##[", "\\u0023#["))
    else:
        show = _markdown if arguments.format == "markdown" else text
        print("\n".join(show(made)))
    return 0


def _rows(made: dict[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """(kind, what, minutes, why) of each line."""
    for test in made["tests"]:
        yield "test", test["path"], f"{test['minutes']:.1f}", test["reason"]
    for label in made["labels"]:
        yield "label", label["label"], "", label["reason"]


def text(made: dict[str, Any]) -> Iterator[str]:
    """The plan for a terminal."""
    if made["base"]["commit"]:
        yield f"compared with {made['base']['commit'][:12]} ({made['base']['chosen_by']})"
    if not made["anything"]:
        yield "nothing to run"
    if made["areas"]:
        yield f"\nsmoke checks: torchrl-smoke --area {' --area '.join(made['areas'])}"
    rows = list(_rows(made))
    for kind, title in (("test", "tests, with the minutes that they take on one core"), ("label", "labels")):
        own = [row for row in rows if row[0] == kind]
        wide = max((len(printable(row[1])) for row in own), default=0)
        if own:
            yield f"\n{title}:"
        for _, what, minutes, why in own:
            yield f"  {printable(what):<{wide}}  {minutes and minutes.rjust(5) + '  '}{printable(why)}"
    if made["matrix"]["include"]:
        yield "\njobs:"
    for job in made["matrix"]["include"]:
        count = len(job["tests"].split())
        what = job["areas"] or f"{count} test file{'' if count == 1 else 's'}"
        yield f"  {job['name']:<14} {job['device']:<5} {job['minutes']:>5} min  {what}"
    if made["unmapped"] or made["notes"]:
        yield ""
    for path in made["unmapped"]:
        yield f"unmapped: {printable(path)}: the import graph alone answered for it"
    for note in made["notes"]:
        yield f"note: {printable(note)}"


def _markdown(made: dict[str, Any]) -> Iterator[str]:
    def cell(words: str) -> str:
        return printable(words).replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")

    if made["base"]["commit"]:
        yield f"**Plan**, compared with `{made['base']['commit'][:12]}` ({cell(made['base']['chosen_by'])})\n"
    if not made["anything"]:
        yield "Nothing to run.\n"
    if made["areas"]:
        yield f"Smoke checks of {', '.join(made['areas'])}.\n"
    rows = list(_rows(made))
    if rows:
        yield "| what | | minutes | why |\n| --- | --- | --- | --- |"
    for kind, what, minutes, why in rows:
        yield f"| {kind} | `{cell(what)}` | {minutes} | {cell(why)} |"
    yield ""
    for path in made["unmapped"]:
        yield f"- unmapped: `{cell(path)}`, the import graph alone answered for it"
    for note in made["notes"]:
        yield f"- {cell(note)}"
