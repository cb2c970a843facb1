"""For programs: the contract's schema 1, every severity included."""

from __future__ import annotations

import json
from typing import Any

from ..finding import Finding
from . import Report, Style


def render(report: Report, style: Style) -> str:
    """The report as one JSON object."""
    findings = [_finding(item, style) for item in report.findings if style.suppressed or not item.suppressed]
    whole = {
        "schema": 1,
        "base": {"commit": report.base.commit, "chosen_by": report.base.chosen_by},
        "first": [item._asdict() for item in report.first],
        "findings": findings,
        "labels": labels(report),
        "fixed": report.fixed,
        "notes": report.notes,
        "stats": report.stats,
    }
    # The same values; a job's log must not read a command in them.
    return json.dumps(whole, indent=1).replace("##[", "\\u0023#[") + "\n"


def labels(report: Report) -> list[dict[str, str]]:
    """The labels that the change calls for: what the label rules found, but for faults of the label files themselves."""
    return [
        {"label": item.symbol, "path": item.path, "reason": item.message}
        for item in report.shown
        if item.rule in ("label-env", "label-ci-olddeps", "label-ci-optdeps")
    ]


def _finding(finding: Finding, style: Style) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "rule": finding.rule,
        "severity": finding.severity,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line or finding.line,
        "symbol": finding.symbol,
        "message": finding.message,
        "hint": finding.hint,
        "new": finding.new,
        "edit": finding.edit._asdict() if finding.edit else None,
        "also_touch": list(finding.also_touch),
        "verify": finding.verify,
    }
    if style.suppressed:
        shown["suppressed"] = finding.suppressed or None
    return shown
