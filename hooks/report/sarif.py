"""SARIF 2.1.0, for code scanning and editors: every severity included."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from typing import Any
from urllib.parse import quote

from ..finding import Finding
from . import Report, Style
from .edits import replacements
from .text import told

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "advisory": "note"}
_SURROGATES = re.compile("[\ud800-\udfff]")
_LINK = re.compile(r"\[(?=[^\]]*\]\()")


def render(report: Report, style: Style) -> str:
    """The report as one SARIF log with one run."""
    findings = [item for item in report.findings if style.suppressed or not item.suppressed]
    rules = sorted({item.rule for item in findings})
    places: Counter[tuple] = Counter()
    results = []
    for finding in findings:
        key = (finding.rule, finding.path, finding.symbol, finding.text or finding.message)
        results.append(_result(finding, rules.index(finding.rule), _fingerprint(key, places[key])))
        places[key] += 1
    run = {
        "tool": {
            "driver": {"name": "torchrl-lint", "rules": [_rule(name, report.rules.get(name, "")) for name in rules]}
        },
        "columnKind": "unicodeCodePoints",
        "results": results,
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _notes(report)}],
    }
    return (
        json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1).replace("##[", "\\u0023#[") + "\n"
    )


def _rule(name: str, summary: str) -> dict[str, Any]:
    text = {"text": _literal(summary or name)}
    return {
        "id": name,
        "shortDescription": text,
        "fullDescription": text,
        "help": {"text": f"torchrl-lint explain {name}"},
    }


def _result(finding: Finding, rule: int, fingerprint: str) -> dict[str, Any]:
    parts = (
        finding.message,
        finding.hint and f"What to do: {finding.hint}",
        finding.verify and f"Verify: {finding.verify}",
    )
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": _uri(finding.path)}}}
    if finding.line is not None:
        location["physicalLocation"]["region"] = {
            "startLine": finding.line,
            "startColumn": finding.column,
            "endLine": max(finding.end_line or 0, finding.line),
        }
    location["logicalLocations"] = [{"fullyQualifiedName": _scalar(finding.symbol)}]
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": _literal("\n".join(part for part in parts if part))},
        "locations": [location],
        "partialFingerprints": {"finding/v1": fingerprint},
        "baselineState": "new" if finding.new else "unchanged",
    }
    if finding.also_touch:
        result["relatedLocations"] = [
            {
                "physicalLocation": {"artifactLocation": {"uri": _uri(path)}},
                "message": {"text": "to be changed with it"},
            }
            for path in finding.also_touch
        ]
    if finding.edit is not None and (fix := _fix(finding.edit.patch)):
        result["fixes"] = [fix]
    if finding.suppressed:
        kind = "external" if finding.suppressed.startswith("waiver ") else "inSource"
        result["suppressions"] = [{"kind": kind, "justification": _scalar(finding.suppressed)}]
    return result


def _fix(patch: str) -> dict[str, Any] | None:
    by_path: dict[str, list[dict[str, Any]]] = {}
    for item in replacements(patch):
        by_path.setdefault(item.path, []).append(
            {
                "deletedRegion": {"startLine": item.first, "startColumn": 1, "endLine": item.last + 1, "endColumn": 1},
                "insertedContent": {"text": item.text},
            }
        )
    changes = [{"artifactLocation": {"uri": _uri(path)}, "replacements": parts} for path, parts in by_path.items()]
    return {"description": {"text": "the edit of torchrl-lint --fix"}, "artifactChanges": changes} if changes else None


def _notes(report: Report) -> list[dict[str, Any]]:
    said = [*told(report), *(f"edited: {path}" for path in report.fixed), *report.notes]
    return [{"level": "note", "message": {"text": _literal(note)}} for note in said]


def _fingerprint(key: tuple[str, ...], occurrence: int) -> str:
    """The same for the same fault wherever in its file it stands, and another for its twin there."""
    text = "\0".join([*key, str(occurrence)])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _uri(path: str) -> str:
    """A path relative to the repository as a URI; bytes that are no UTF-8 are kept."""
    return quote(path.encode("utf-8", "surrogateescape"))


def _literal(text: str) -> str:
    """Text of a message, where braces are placeholders and brackets before parentheses are links."""
    return _LINK.sub(r"\\[", _scalar(text)).replace("{", "{{").replace("}", "}}")


def _scalar(text: str) -> str:
    return _SURROGATES.sub("\ufffd", text)
