"""For a GitHub job's log: workflow commands that GitHub shows as annotations.

GitHub shows ten errors, ten warnings and ten notices of a step and silently drops the rest, so the
most important come first, of these the ones on changed lines, and what is beyond the limit is printed as plain lines.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..finding import SEVERITIES, Finding
from . import Report, Style, printable
from .text import summary, told

_LIMIT = 10
_COMMANDS = {"error": "error", "warning": "warning", "advisory": "notice"}


def render(report: Report, style: Style) -> str:
    """The report as workflow commands, a plain line for each finding beyond the limit, and a summary."""
    findings = [item for item in report.findings if style.suppressed or not item.suppressed]
    # Old faults never take the place of new ones, nor what a reviewer does not see that of what the diff shows.
    findings.sort(
        key=lambda item: (
            bool(item.suppressed),
            not item.new,
            SEVERITIES.index(item.severity),
            item.line not in report.changed.get(item.path, ()),
        )
    )
    lines, beyond, left = [], [], dict.fromkeys(_COMMANDS.values(), _LIMIT)
    # One line of the notices' ten says how many were not shown.
    left["notice"] -= 1
    for finding in findings:
        command = _COMMANDS[finding.severity]
        if left[command] and not finding.suppressed:
            left[command] -= 1
            lines.append(_annotation(finding, command))
        else:
            beyond.append(finding)
    if beyond:
        more = f"{len(beyond)} more findings are listed in the log of this step"
        lines.append(workflow_command("notice", more, {"title": "torchrl-lint"}))
    lines += [_plain(finding) for finding in beyond]
    lines += [f"edited: {printable(path)}" for path in report.fixed]
    lines += [f"note: {printable(note)}" for note in report.notes]
    return "\n".join([*map(printable, told(report)), *lines, printable(summary(report))]) + "\n"


def _annotation(finding: Finding, command: str) -> str:
    properties = {"file": finding.path}
    if finding.line is not None:
        properties |= {"line": finding.line, "endLine": finding.end_line or finding.line, "col": finding.column}
    properties["title"] = f"{finding.rule}: {printable(finding.symbol)}"
    return workflow_command(command, _body(finding), properties)


def workflow_command(name: str, message: str, properties: Mapping[str, object]) -> str:
    """One workflow command; whatever is in its message or properties ends neither."""
    shown = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {shown}::{_data(message)}"


def _body(finding: Finding) -> str:
    parts = [finding.message, finding.hint and f"What to do: {finding.hint}"]
    parts += [finding.verify and f"Verify: {finding.verify}", finding.edit and finding.edit.patch]
    lines = (line.removesuffix("\r") for part in parts if part for line in part.rstrip("\n").split("\n"))
    return "\n".join(map(printable, lines))


def _plain(finding: Finding) -> str:
    place = finding.path if finding.line is None else f"{finding.path}:{finding.line}"
    return "  " + printable(f"{place}: {finding.severity}: {finding.rule}: {finding.symbol}: {finding.message}")


def _data(text: str) -> str:
    return _scalar(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _scalar(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
