"""``torchrl-lint labels``: the labels that a change needs, each with the file that calls for it and the jobs that it starts."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from ..project import Project
from ..project.labels import gated, gating
from ..report import printable
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


def main(arguments: argparse.Namespace, project: Project | None) -> int:
    options = Options(repo=arguments.repo, ref=arguments.ref, base=arguments.base, select=RULES, title=arguments.title)
    report = run(options)
    project, store, git = open_project(options)
    if project is not None and report.base.commit is None:
        raise UsageError("; ".join(report.notes) or "there is no base to compare with; give --base")
    # Where no profile fits there is no label to know of, and the report's note says so.
    rows = [{**row, "jobs": list(gated(project, row["label"]))} for row in labels(report)] if project else []
    suites = {suite: values["label"] for suite, values in project.profile["suites"].items()} if project else {}
    parents = {
        row["label"]: sorted({item.label for item in gating(project)} & _below(project, row["label"])) for row in rows
    }
    store.close()
    if git is not None:
        git.close()
    found = {row["label"] for row in rows}
    if arguments.format == "json":
        # The booleans are what a workflow's own jobs can use in ``if:``.
        flags = {suite: label in found for suite, label in sorted(suites.items())}
        print(
            json.dumps(
                {"schema": 1, "base": report.base.commit, "labels": rows, **flags, "notes": report.notes}, indent=1
            )
        )
    else:
        show = _markdown if arguments.format == "markdown" else _text
        print("\n".join([*show(rows, parents), *[f"note: {printable(note)}" for note in report.notes]]))
    return 0


def _below(project: Project, label: str) -> set[str]:
    return {item.label for item in gating(project) if item.label.startswith(label + "/")}


def _text(rows: list[dict[str, Any]], parents: dict[str, list[str]]) -> Iterator[str]:
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
