"""Findings for people and programs, one file a format; all formats hold the same findings.

Each file has ``render(report, options) -> str``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import NamedTuple

from ..base import Base
from ..finding import Finding, First

FORMATS = ("text", "json", "sarif", "github", "markdown")

# GitHub's runner takes two forms for a command: colons that begin a line, spaces or not, and ##[ anywhere.
_COMMAND = re.compile(r"^\s*:(?=:)|#(?=#\[)")


class Report(NamedTuple):
    """What a run found.

    Args:
        findings: sorted; only new ones unless the whole tree was asked for, suppressed ones included.
        fixed: paths that ``--fix`` changed.
        stats: files of the tree, files judged, facts read from the store and parsed.
        diff: one patch for all edits, where edits were asked for.
        rules: what each rule that judged finds, in a few words.
        changed: path -> the lines that differ from the base, for changed files with findings.
        first: what a reviewer must see before anything else.
    """

    base: Base
    findings: list[Finding]
    notes: list[str]
    fixed: list[str]
    stats: dict[str, int]
    diff: str = ""
    rules: Mapping[str, str] = {}
    changed: Mapping[str, frozenset[int]] = {}
    first: Sequence[First] = ()

    @property
    def exit_status(self) -> int:
        """1 for a new error or a changed file, else 0."""
        return int(bool(self.fixed) or any(item.new and item.severity == "error" for item in self.shown))

    @property
    def shown(self) -> list[Finding]:
        """Findings that nothing suppresses."""
        return [finding for finding in self.findings if not finding.suppressed]


class Style(NamedTuple):
    """How to show a report.

    Args:
        advice: spell advisories out.
        suppressed: show what was suppressed, too.
        color: use terminal colours.
        again: the command that runs the same thing again.
    """

    advice: bool = False
    suppressed: bool = False
    color: bool = False
    again: str = "torchrl-lint"


def render(name: str, report: Report, style: Style) -> str:
    """A report in one of ``FORMATS``, with a final newline."""
    return import_module(f".{name}", __package__).render(report, style)


def printable(text: str) -> str:
    """Text that cannot move a terminal's cursor, break a line or forge a workflow command; tabs stay."""
    if not text.isprintable():
        text = "".join(_escape(character) for character in text)
    return _COMMAND.sub(lambda start: f"{start[0][:-1]}\\x{ord(start[0][-1]):02x}", text)


def _escape(character: str) -> str:
    if character.isprintable() or character == "\t":
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
