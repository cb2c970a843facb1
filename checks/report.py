"""A report of smoke checks as text, json and markdown. All hold the same checks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .record import STATUSES, Check, Entry, Report

FORMATS = ("text", "json", "markdown")
SHOWN = 3  # warnings of one check in text and markdown
WIDE = 140  # characters of a line that tells all of a check, where every one is listed


def render(report: Report, form: str, every: bool = False) -> str:
    """The report in one of `FORMATS`; ``every``: text and markdown list plain passes too, and the whole environment."""
    if form == "json":
        return json.dumps(as_json(report), indent=2)
    return markdown(report, every) if form == "markdown" else text(report, every)


def as_json(report: Report) -> dict[str, Any]:
    """The report as the json contract has it."""
    checks = [check._asdict() | {"warnings": list(check.warnings)} for check in report.checks]
    return {"schema": 1, "environment": report.environment, "checks": checks}


def text(report: Report, every: bool = False) -> str:
    """For a terminal: the environment, each check that has something to say (or each one), the counts."""
    lines = _environment(report) if every else [_summary(report)]
    for check in _listed(report, every):
        head = f"{check.status:<10}  {check.id}"
        said = (check.reason, check.hint and f"-> {check.hint}", *_few(check.warnings))
        told = [" ".join(line.split()) for line in said if line]
        line = "  ".join([head, *told])
        if every and len(line) <= WIDE:
            lines.append(line)
        else:
            lines += [*([] if every else [""]), head, *(f"            {words}" for words in told)]
    return "\n".join([*lines, "", _counts(report)])


def markdown(report: Report, every: bool = False) -> str:
    """For a step summary: the counts, a table of the checks that have something to say, the environment."""
    lines = [f"**{_counts(report)}**", "", _cell(_summary(report))]
    listed = _listed(report, every)
    if listed:
        lines += ["", "| status | check | reason | what to do |", "| --- | --- | --- | --- |"]
    for check in listed:
        reason = "<br>".join(_cell(line) for line in (check.reason, *_few(check.warnings)) if line)
        lines.append(f"| {check.status} | `{check.id}` | {reason} | {_cell(check.hint)} |")
    return "\n".join(lines)


def listing(entries: Sequence[Entry], form: str) -> str:
    """The checks that there are, in one of `FORMATS`."""
    if form == "json":
        return json.dumps({"schema": 1, "checks": [entry._asdict() for entry in entries]}, indent=2)
    if form == "markdown":
        rows = (f"| `{it.id}` | {it.tier} | {', '.join(it.needs)} | {_cell(it.summary)} |" for it in entries)
        return "\n".join(["| check | tier | needs | what it verifies |", "| --- | --- | --- | --- |", *rows])
    wide = max((len(entry.id) for entry in entries), default=0)
    needs = (f" (needs {', '.join(entry.needs)})" if entry.needs else "" for entry in entries)
    return "\n".join(
        f"{it.id:<{wide}}  {it.tier:<8}  {it.summary}{need}" for it, need in zip(entries, needs, strict=True)
    )


def _listed(report: Report, every: bool) -> list[Check]:
    """Worst first; a plain pass has nothing to say."""
    said = [check for check in report.checks if every or check.status != "passed" or check.reason or check.warnings]
    return said if every else sorted(said, key=lambda check: STATUSES.index(check.status))


def _few(warnings: Sequence[str]) -> list[str]:
    """The first warnings, and how many more there are."""
    more = [f"and {len(warnings) - SHOWN} more warnings, all in --format json"] if len(warnings) > SHOWN else []
    return [*warnings[:SHOWN], *more]


def _counts(report: Report) -> str:
    counts = ", ".join(f"{report.count(status)} {status}" for status in reversed(STATUSES) if report.count(status))
    return f"{counts or 'no check to run'} in {sum(check.seconds for check in report.checks):.1f} s"


def _summary(report: Report) -> str:
    it = report.environment
    parts = [f"{name} {it[name] or 'of unknown version'}" for name in ("torchrl", "tensordict", "torch") if name in it]
    if it.get("torchrl_file"):
        parts[0] += f" ({it['torchrl_file']})"
    parts += [f"Python {it['python']}"] if "python" in it else []
    parts += (
        ["C++ extension " + ("loads" if it["extension"] == "loads" else "does not load")] if "extension" in it else []
    )
    parts += [", ".join(it["gpus"]) or "no GPU"] if "gpus" in it else []
    raised = len(it.get("warnings", ()))
    parts += [f"{raised} warnings raised by importing them, see --format json"] if raised else []
    return ", ".join(parts)


def _environment(report: Report) -> list[str]:
    shown = {key: ", ".join(value) if isinstance(value, list) else value for key, value in report.environment.items()}
    wide = max((len(key) for key in shown), default=0)
    return [*(f"{key:<{wide}}  {'none' if value in (None, '') else value}" for key, value in shown.items()), ""]


def _cell(words: str) -> str:
    """Text that stays in its cell of a table, whatever a check has put into it."""
    safe = words.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")
    return " ".join(safe.split())
