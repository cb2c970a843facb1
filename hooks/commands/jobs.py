"""``torchrl-lint jobs [TEST ...]``: the CI jobs that collect a test, or why none does."""

from __future__ import annotations

import argparse
import json
import posixpath
import shlex
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple

from ..project import Project
from ..project.ci import Run, runs
from ..project.events import NIGHTLY, PULL_REQUEST, PUSH, Gate
from ..project.jobs import collects, mark_sets, runs_of
from ..project.needs import verdicts
from ..project.tests import Test, collected
from ..run import UsageError

SUMMARY = (
    "Tell which CI jobs collect a test, on a pull request, on a push to main and in the nightly run, or why none does"
)

_COLUMNS = (PULL_REQUEST, PUSH, NIGHTLY)
_FOOT = "Read from workflows, scripts and skipif conditions; a test may still skip itself for another reason."
# More jobs than this that leave a test out by -k are counted, not listed.
_LISTED = 3
_NAMED = 6


class Row(NamedTuple):
    """One job, all of its variants that collect something of what was asked for.

    Args:
        job: its name with the values that tell these variants from its others.
        count: how many of the tests it collects.
        runs: one for each variant.
    """

    job: str
    count: int
    runs: list[Run]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "tests",
        nargs="*",
        metavar="TEST",
        help="test/test_x.py::Class::test, a class, a file or a folder (default: one line for each test file)",
    )


def main(arguments: argparse.Namespace, project: Project) -> int:
    parts: list[Any] = []
    files: list[str] = []
    for given in arguments.tests or [project.profile["tests"]]:
        path, _, symbol = given.partition("::")
        path = posixpath.normpath(path)
        if path in project.tree:
            chosen = _named(project, path, symbol.partition("[")[0])
            one = bool(symbol) and any(test.symbol == symbol.partition("[")[0] for test in chosen)
            parts.append(_table(project, given.partition("[")[0], chosen, path, one))
        elif below := [name for name in project.tree.paths(path, ".py") if collected(project, name)]:
            files += below
        else:
            raise UsageError(f"{given}: no such test, file or folder in {project.tree.label}")
    listing = [_line(project, path) for path in dict.fromkeys(files)]
    if arguments.format == "json":
        print(json.dumps({"schema": 1, "tests": [_plain(part) for part in parts], "files": listing}, indent=1))
    else:
        lines = [line for part in parts for line in _show(part, arguments.format)] + _list(listing, arguments.format)
        print("\n".join([*lines, _FOOT]))
    return 0


def _named(project: Project, path: str, symbol: str) -> list[Test]:
    found = collected(project, path)
    chosen = [test for test in found if not symbol or test.symbol == symbol or test.symbol.startswith(symbol + "::")]
    if symbol and not chosen:
        known = {name for test in found for name in (test.symbol, test.symbol.partition("::")[0])}
        close = get_close_matches(symbol, sorted(known), 1, 0.5)
        raise UsageError(f"{path} has no test {symbol}" + (f"; did you mean {close[0]}?" if close else ""))
    return chosen


def _table(project: Project, name: str, chosen: list[Test], path: str, one: bool) -> dict[str, Any]:
    """What is to be told about some tests of one file."""
    answers = {(test.symbol, test.line): verdicts(project, test) for test in chosen}
    taken: dict[tuple, dict[str, Any]] = {}
    for key, pairs in answers.items():
        for run, reason in pairs:
            if not reason:
                group = taken.setdefault((run.label, run.gates, run.gpus), {"runs": {}, "tests": set()})
                group["runs"][run.name] = run
                group["tests"].add(key)
    rows = [
        Row(_variants(project, list(group["runs"].values())), len(group["tests"]), list(group["runs"].values()))
        for group in taken.values()
    ]
    never = [
        (test, _reasons(answers[test.symbol, test.line]))
        for test in chosen
        if all(reason for _, reason in answers[test.symbol, test.line])
    ]
    left_out = _reasons(answers[chosen[0].symbol, chosen[0].line]) if one and chosen else []
    marks = sorted(set().union(*mark_sets(project, chosen[0])[0])) if one and chosen else []
    return {
        "name": name,
        "path": path,
        "one": one,
        "tests": chosen,
        "marks": marks,
        "rows": sorted(rows, key=_order),
        "never": never,
        "left_out": left_out,
        "unreached": _unreached(project, path) if never else "",
    }


def _order(row: Row) -> tuple:
    """Jobs of an unconditional pull request first, then those that a label brings, then the rest."""
    gate = row.runs[0].on(PULL_REQUEST)
    return (gate is None, bool(gate and (gate.labels or gate.paths)), -row.count, row.job)


def _variants(project: Project, group: list[Run]) -> str:
    """A job's name with those values of its matrix that its other variants do not share."""
    label = group[0].label
    everyone = {run.variant for run in runs(project) if run.label == label}
    if len({len(variant) for variant in everyone}) != 1:
        return label
    told = []
    for position in range(len(group[0].variant)):
        here = list(dict.fromkeys(run.variant[position] for run in group))
        if set(here) != {variant[position] for variant in everyone}:
            told.append("/".join(here))
    return f"{label} ({', '.join(told)})" if told else label


def _reasons(pairs: list[tuple[Run, str]]) -> list[tuple[str, list[str]]]:
    """(reason, jobs) for the jobs that select the file and refuse the test; many ``-k`` become one reason."""
    taking = {run.label for run, reason in pairs if not reason}
    found: dict[str, dict[str, None]] = {}
    for run, reason in pairs:
        if reason and run.label not in taking:
            found.setdefault(reason, {})[run.label] = None
    by_name = {reason: jobs for reason, jobs in found.items() if reason.startswith("deselected by -k")}
    if len(by_name) > _LISTED:
        found = {reason: jobs for reason, jobs in found.items() if reason not in by_name}
        jobs = dict.fromkeys(job for jobs in by_name.values() for job in jobs)
        found[f"{len(jobs)} jobs choose other tests with -k"] = {}
    return [(reason, list(jobs)) for reason, jobs in found.items()]


def _line(project: Project, path: str) -> dict[str, Any]:
    """Counts of one file: how many tests run on each event, without and with a label, and how many nowhere."""
    counts = {"path": path, "tests": 0, "pull_request": 0, "label": 0, "push": 0, "nightly": 0, "never": 0}
    why: dict[str, None] = {}
    for test in collected(project, path):
        counts["tests"] += 1
        pairs = verdicts(project, test)
        taking = [run for run, reason in pairs if not reason]
        gates = [gate for run in taking if (gate := run.on(PULL_REQUEST))]
        plain = any(not gate.labels and not gate.paths for gate in gates)
        counts["pull_request"] += plain
        counts["label"] += not plain and bool(gates)
        counts["push"] += any(run.on(PUSH) for run in taking)
        counts["nightly"] += any(run.on(NIGHTLY) for run in taking)
        if not taking:
            counts["never"] += 1
            reasons = [reason for reason, _ in _reasons(pairs)]
            why.update(dict.fromkeys([reason for reason in reasons if reason.startswith("skipped")] or reasons))
    if counts["never"] and not runs_of(project, path):
        why = {_unreached(project, path): None}
    return {**counts, "why": "; ".join(why)}


def _unreached(project: Project, path: str) -> str:
    reasons = {collects(project, run, path) for run in runs(project)} - {"not among its paths", ""}
    return "no job takes the file: " + (", ".join(sorted(reasons)) if reasons else "it is among no job's paths")


# Rendering


def _cell(gate: Gate | None) -> str:
    if gate is None:
        return "-"
    if gate.labels:
        return "label " + " or ".join(gate.labels)
    if gate.without:
        return "unless label " + " or ".join(gate.without)
    return "if its paths change" if gate.paths else "yes"


def _cells(row: Row, part: dict[str, Any]) -> list[str]:
    run = row.runs[0]
    host = "CPU" if not run.gpus else f"{run.gpus} GPU" + ("s" if run.gpus > 1 else "")
    host += ", Windows" if "windows" in run.runner else ""
    # A job that runs on none of the three events says when it does.
    events = [_cell(run.on(event)) for event in _COLUMNS]
    if set(events) == {"-"}:
        events[0] = "only on " + ", ".join(run.events)
    return [row.job, *([] if part["one"] else [f"{row.count} of {len(part['tests'])}"]), host, *events]


def _show(part: dict[str, Any], how: str) -> Iterator[str]:
    marks = f"  (marks: {', '.join(part['marks'])})" if part["marks"] else ""
    yield f"### `{part['name']}`{marks}" if how == "markdown" else f"{part['name']}{marks}"
    if how == "markdown":
        yield ""
    if not part["tests"]:
        yield "  has no tests"
    elif part["rows"]:
        head = ["job", *([] if part["one"] else ["tests"]), "host", *_COLUMNS]
        yield from _grid([head, *[_cells(row, part) for row in part["rows"]]], how)
    if part["tests"] and not part["rows"]:
        yield "  no job collects it" if part["one"] else "  no job collects any of its tests"
    bullet = "- " if how == "markdown" else "  "
    for job in dict.fromkeys(row.job for row in part["rows"] if any(run.selection.unread for run in row.runs)):
        yield f"{bullet}may be in {job}: not all of its arguments could be read"
    for reason, jobs in part["left_out"]:
        yield f"{bullet}not in {', '.join(jobs)}: {reason}" if jobs else f"{bullet}{reason}"
    alike: dict[str, list[str]] = {}
    for test, reasons in [] if part["one"] else part["never"]:
        told = "; ".join(f"{reason} ({', '.join(jobs)})" if jobs else reason for reason, jobs in reasons)
        alike.setdefault(told or part["unreached"], []).append(test.symbol)
    for told, symbols in alike.items():
        some = ", ".join(symbols[:_NAMED]) + (f" and {len(symbols) - _NAMED} more" if len(symbols) > _NAMED else "")
        yield f"{bullet}never {some}: {told}"
    yield ""


def _list(listing: list[dict[str, Any]], how: str) -> list[str]:
    if not listing:
        return []
    keys = ("tests", "pull_request", "label", "push", "nightly", "never")
    head = ["file", "tests", PULL_REQUEST, "with a label", PUSH, NIGHTLY, "never", ""]
    rows = [[row["path"], *[str(row[key] or "-") for key in keys], row["why"]] for row in listing]
    total = ["total", *[str(sum(row[key] for row in listing) or "-") for key in keys], ""]
    return [*_grid([head, *rows, total], how), ""]


def _grid(rows: list[list[str]], how: str) -> Iterator[str]:
    if how == "markdown":
        for number, row in enumerate(rows):
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
            if number == 0:
                yield "|" + "---|" * len(row)
        return
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _plain(part: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": part["name"],
        "path": part["path"],
        "tests": len(part["tests"]),
        "marks": part["marks"],
        "jobs": [
            {
                "job": row.job,
                "tests": row.count,
                "variants": [run.name for run in row.runs],
                "workflow": row.runs[0].workflow,
                "line": row.runs[0].line,
                "script": row.runs[0].script,
                "script_line": row.runs[0].script_line,
                "runner": row.runs[0].runner,
                "gpus": row.runs[0].gpus,
                "command": _command(row.runs[0]),
                "events": {gate.event: gate._asdict() for gate in row.runs[0].gates},
            }
            for row in part["rows"]
        ],
        "never": [
            {"test": test.symbol, "reasons": [{"reason": reason, "jobs": jobs} for reason, jobs in reasons]}
            for test, reasons in part["never"]
        ],
        "left_out": [{"reason": reason, "jobs": jobs} for reason, jobs in part["left_out"]],
    }


def _command(run: Run) -> str:
    chosen = run.selection
    words = ["pytest", *chosen.paths, *[f"--ignore={path}" for path in chosen.ignores]]
    for option, text in (("-k", chosen.keyword), ("-m", chosen.marker)):
        words += [option, text] if text else []
    return shlex.join(words)
