"""For a step summary, a comment or a file: every severity included, advisories folded.

What a finding says comes from files and names of the pull request. It is shown as the text that it is: it forms no
markup, mentions nobody, refers to no issue and cannot end the block around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..finding import SEVERITIES, Finding
from . import Report, Style, printable
from .text import summary, told

_HEADS = {"error": "Errors", "warning": "Warnings", "advisory": "Advisories"}
# An underscore within a word is none; a number, dash or plus is one only at the start of a line.
_MARKUP = re.compile(r"[\\`*\[\]~|$]|(?<![^\W_])_|_(?![^\W_])|^[-+#=]")
_NUMBER = re.compile(r"^\d+(?=[.)])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
# GitHub makes links of these in plain text: mentions, issues, addresses. A space of no width stops it.
_LINKS = re.compile(r"@(?=\w)|#(?=\d)|(?i:\bgh-)(?=\d)|:(?=//)|(?i:\bwww)(?=\.)")


def render(report: Report, style: Style) -> str:
    """The report as markdown."""
    lines = [*first(report), f"**{text(summary(report))}**"]
    if report.base.commit:
        lines += ["", f"Compared with {code(report.base.commit[:12])} ({text(report.base.chosen_by)})."]
    findings = [item for item in report.findings if style.suppressed or not item.suppressed]
    for severity in SEVERITIES:
        group = [item for item in findings if item.severity == severity]
        if group:
            lines += ["", *section(severity, len(group), [block(item) for item in group])]
    lines += [line for path in report.fixed for line in ("", f"Edited: {code(path)}")]
    lines += [line for note in report.notes for line in ("", f"Note: {text(note)}")]
    if findings or report.fixed:
        lines += ["", f"Run again: {code(style.again)}"]
    return "\n".join(lines) + "\n"


def first(report: Report) -> Iterator[str]:
    """The lines of what a reviewer must see before anything else."""
    for line in told(report):
        yield f"- {text(line)}" if line.startswith(" ") else f"**{text(line)}**\n"
    if report.first:
        yield ""


def section(severity: str, count: int, blocks: list[str]) -> Iterator[str]:
    """A severity's lines: its heading with the count and its blocks; advisories unfold on request."""
    head, folded = f"{_HEADS[severity]} ({count})", severity == "advisory"
    yield f"<details><summary>{head}</summary>" if folded else f"### {head}"
    for one in blocks:
        yield ""
        yield one
    if folded:
        yield ""
        yield "</details>"


def block(finding: Finding) -> str:
    """One finding, complete in itself, without a final newline."""
    place = finding.path if finding.line is None else f"{finding.path}:{finding.line}"
    state = "" if finding.new else " (not new)"
    parts = [f"{code(place)} **{text(finding.rule)}** {code(finding.symbol)}{state}", text(finding.message)]
    parts += [f"What to do: {text(finding.hint)}"] if finding.hint else []
    parts += [f"Suppressed by {text(finding.suppressed)}"] if finding.suppressed else []
    if finding.edit is not None:
        parts.append(f"<details><summary>Edit</summary>\n\n{fenced(finding.edit.patch, 'diff')}\n\n</details>")
    parts += [f"Change with it: {', '.join(map(code, finding.also_touch))}"] if finding.also_touch else []
    parts += [f"Verify: {code(finding.verify)}"] if finding.verify else []
    return "\n\n".join(parts)


def text(words: str) -> str:
    """Words on one line of prose that mean themselves."""
    shown = _NUMBER.sub(r"\g<0>\\", _MARKUP.sub(r"\\\g<0>", printable(words.strip())))
    shown = re.sub(r"[&<>]", lambda found: _ENTITIES[found[0]], shown)
    return _LINKS.sub("\\g<0>\u200b", shown)


def code(words: str) -> str:
    """Words as code within a line."""
    shown = printable(words) or " "
    ticks = "`" * (_longest(shown) + 1)
    space = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{space}{shown}{space}{ticks}"


def fenced(words: str, language: str = "") -> str:
    """Lines as a block of code that nothing in them can end."""
    lines = [printable(line.removesuffix("\r")) for line in words.rstrip("\n").split("\n")]
    ticks = "`" * max(3, _longest("\n".join(lines)) + 1)
    return "\n".join([ticks + language, *lines, ticks])


def _longest(words: str) -> int:
    return max(map(len, re.findall("`+", words)), default=0)
