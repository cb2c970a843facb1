"""``torchrl-lint labels``: the labels that a change needs, each with the file that calls for it and the jobs that it starts."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..project import Project
from ..project.labels import gated, gating
from ..report import Report, printable
from ..report.json import labels
from ..run import Options, UsageError, open_project, run

SUMMARY = "The labels that a change needs, each with the reason and the jobs that it starts"
NEEDS_PROJECT = False

RULES = ("label-ci-olddeps", "label-ci-optdeps", "label-env")
_SHOWN = 6
_LATER = "set these before you push: adding one later starts nothing"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--base", metavar="TREEISH", help="compare with this commit (default: chosen from the branch or the CI event)"
    )
    parser.add_argument(
        "--title", default="", metavar="TEXT", help="title of the pull request, for the label of its tag"
    )


class Needed(NamedTuple):
    """The labels that a change needs.

    Args:
        report: of the label rules.
        rows: label, path, reason and jobs of each.
        parents: label -> those below it, whose jobs it starts, too.
        suites: suite -> the label that brings it to a pull request.
    """

    report: Report
    rows: list[dict[str, Any]]
    parents: dict[str, list[str]]
    suites: dict[str, str]


def needed(options: Options) -> Needed:
    """The labels for a change; none where no profile fits the tree, and the report's note says so.

    Raises:
        GitError, ConfigError: a tree cannot be read; the message says what to do.
        UsageError: there is nothing to compare with.
    """
    report = run(options._replace(select=RULES))
    project, store, git = open_project(options)
    try:
        if project is None:
            return Needed(report, [], {}, {})
        if report.base.commit is None:
            raise UsageError("; ".join(report.notes) or "there is no base to compare with; give --base")
        rows = [{**row, "jobs": list(gated(project, row["label"]))} for row in labels(report)]
        known = {item.label for item in gating(project)} if rows else set()
        parents = {row["label"]: sorted(name for name in known if name.startswith(row["label"] + "/")) for row in rows}
        suites = {suite: values["label"] for suite, values in project.profile["suites"].items()}
        return Needed(report, rows, parents, suites)
    finally:
        store.close()
        if git is not None:
            git.close()


def main(arguments: argparse.Namespace, project: Project | None) -> int:
    found = needed(Options(repo=arguments.repo, ref=arguments.ref, base=arguments.base, title=arguments.title))
    if arguments.format == "json":
        # The booleans are what a workflow's own jobs can use in ``if:``.
        names = {row["label"] for row in found.rows}
        flags = {suite: label in names for suite, label in sorted(found.suites.items())}
        base, notes = found.report.base.commit, found.report.notes
        print(json.dumps({"schema": 1, "base": base, "labels": found.rows, **flags, "notes": notes}, indent=1))
    else:
        show = _markdown if arguments.format == "markdown" else text
        notes = [f"note: {printable(note)}" for note in found.report.notes]
        print("\n".join([*show(found.rows, found.parents), *notes]))
    return 0


def text(rows: list[dict[str, Any]], parents: dict[str, list[str]]) -> Iterator[str]:
    """The labels for a terminal, those that start jobs first."""
    if not rows:
        yield "this change needs no label"
        return
    starting = [row for row in rows if row["jobs"]]
    if starting:
        yield f"{_LATER}:"
    for row in starting:
        every = f" (all of {row['label']}, not only the sub-label's)" if parents[row["label"]] else ""
        yield f"  {printable(row['label'])}"
        yield f"    starts: {', '.join(_few(row['jobs']))}{every}"
        yield f"    reason: {printable(row['reason'])}"
    if starting:
        yield "  gh pr create " + " ".join(f"--label {_quoted(row['label'])}" for row in starting)
    others = [row for row in rows if not row["jobs"]]
    if others:
        yield "no job waits for these, and the repository's own workflows set most of them:"
    for row in others:
        yield f"  {printable(row['label'])}: {printable(row['reason'])}"


def _markdown(rows: list[dict[str, Any]], parents: dict[str, list[str]]) -> Iterator[str]:
    if not rows:
        yield "This change needs no label."
        return
    yield f"**Labels** ({_LATER})\n\n| label | starts | reason |\n|---|---|---|"
    for row in sorted(rows, key=lambda row: not row["jobs"]):
        every = " (all of its sub-labels' jobs)" if parents[row["label"]] else ""
        cells = (f"`{row['label']}`", ", ".join(_few(row["jobs"])) + every if row["jobs"] else "", row["reason"])
        yield "| " + " | ".join(printable(cell).replace("|", "\\|") for cell in cells) + " |"


def _few(names: list[str]) -> list[str]:
    return [*names[:_SHOWN], *([f"{len(names) - _SHOWN} more"] if len(names) > _SHOWN else [])]


def _quoted(label: str) -> str:
    return f'"{label}"' if " " in label else label
