"""The report as JUnit XML, which CI systems show: a suite an area, a case a check."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from .record import Check, Report

_STATES = {"failed": "failure", "blocked": "error", "unverified": "skipped"}
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # of XML 1.0


def render(report: Report) -> bytes:
    """The report as the bytes of an XML file, blocked checks as errors, unverified ones as skipped."""
    root = ET.Element("testsuites", name="torchrl-smoke", **_counts(report.checks))
    for area in dict.fromkeys(check.area for check in report.checks):
        own = tuple(check for check in report.checks if check.area == area)
        suite = ET.SubElement(root, "testsuite", name=area, **_counts(own))
        properties = ET.SubElement(suite, "properties")
        for key, value in report.environment.items():
            shown = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
            ET.SubElement(properties, "property", name=_clean(key), value=_clean(shown))
        for check in own:
            _case(suite, check)
    ET.indent(root)
    return ET.tostring(root, encoding="utf-8", xml_declaration=True)


def _case(suite: ET.Element, check: Check) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=_clean(check.area), name=_clean(check.id), time=f"{check.seconds:.3f}"
    )
    if check.status in _STATES:
        said = ET.SubElement(case, _STATES[check.status], message=_clean(check.reason))
        said.text = _clean(check.hint) or None
    notes = ([check.reason] if check.status == "passed" and check.reason else []) + list(check.warnings)
    if notes:
        ET.SubElement(case, "system-out").text = _clean("\n".join(notes))


def _counts(checks: tuple[Check, ...]) -> dict[str, str]:
    counts = {"tests": len(checks), "failures": 0, "errors": 0, "skipped": 0}
    for check in checks:
        if check.status in _STATES:
            counts[{"failed": "failures", "blocked": "errors", "unverified": "skipped"}[check.status]] += 1
    return {key: str(value) for key, value in counts.items()} | {"time": f"{sum(it.seconds for it in checks):.3f}"}


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
