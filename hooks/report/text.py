"""For people and coding agents at a terminal: everything that is needed to repair a finding at the first try."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..finding import Finding, First
from . import Report, Style, printable

_COLORS = {"error": "31", "warning": "33", "advisory": "36", "bold": "1", "-": "31", "+": "32"}
_SHOWN = 10


def render(report: Report, style: Style) -> str:
    """The report as text."""
    lines = [*map(printable, told(report))]
    lines += [""] if lines else []
    edits: dict[str, Finding] = {}
    for finding in report.findings:
        if (finding.suppressed and not style.suppressed) or (finding.severity == "advisory" and not style.advice):
            continue
        lines += [*_finding(finding, style, edits), ""]
    lines += _end(report, style)
    return "\n".join(lines) + "\n"


def _finding(finding: Finding, style: Style, edits: dict[str, Finding]) -> Iterator[str]:
    place = printable(finding.path) if finding.line is None else f"{printable(finding.path)}:{finding.line}"
    severity = _paint(finding.severity, finding.severity, style)
    state = "" if finding.new else " (not new)"
    yield f"{_paint(place, 'bold', style)}: {severity}: {finding.rule}: {printable(finding.symbol)}{state}"
    yield f"  {printable(finding.message)}"
    if finding.hint:
        yield f"  What to do: {printable(finding.hint)}"
    if finding.suppressed:
        yield f"  Suppressed by {printable(finding.suppressed)}"
    if finding.edit is not None:
        twin = edits.setdefault(finding.edit.patch, finding)
        if twin is finding:
            yield ""
            for line in finding.edit.patch.rstrip("\n").split("\n"):
                shown = printable(line.removesuffix("\r"))
                yield f"    {_paint(shown, line[:1], style)}"
            yield ""
        else:
            yield f"  The edit is the one of {printable(twin.symbol)}, above."
    if finding.also_touch:
        yield f"  Change with it: {', '.join(map(printable, finding.also_touch))}"
    if finding.verify:
        yield f"  Verify: {printable(finding.verify)}"


def told(report: Report) -> Iterator[str]:
    """A line for each kind of thing that a reviewer must see before anything else, and one for each of its first few."""
    kinds: dict[str, list[First]] = {}
    for item in report.first:
        kinds.setdefault(item.kind, []).append(item)
    for kind, items in kinds.items():
        yield f"Look at this first: {len(items)} {kind}{'s' if len(items) > 1 and not kind.endswith('off') else ''}"
        for item in items[:_SHOWN]:
            yield f"  {item.path}{f':{item.line}' if item.line else ''} {item.text}"
        if len(items) > _SHOWN:
            yield f"  and {len(items) - _SHOWN} more"


def _end(report: Report, style: Style) -> Iterator[str]:
    shown = report.shown
    for path in report.fixed:
        yield f"edited: {printable(path)}"
    for note in report.notes:
        yield f"note: {printable(note)}"
    hidden = Counter(finding.rule for finding in shown if finding.severity == "advisory")
    if hidden and not style.advice:
        rules = ", ".join(f"{rule} {count}" for rule, count in sorted(hidden.items()))
        yield f"advice: {rules}; --advice shows it"
    if report.base.commit:
        yield f"compared with {report.base.commit[:12]} ({printable(report.base.chosen_by)})"
    yield summary(report)
    if any(finding.edit for finding in shown) and not report.fixed:
        yield "apply the edits: torchrl-lint --fix"
    if shown or report.fixed:
        yield f"run again: {printable(style.again)}"


def summary(report: Report) -> str:
    """One line: how many findings of which severity, new ones apart, in how many files judged."""
    counts = Counter((finding.severity, finding.new) for finding in report.shown)
    parts = []
    for severity, plural in (("error", "errors"), ("warning", "warnings")):
        new, old = counts[severity, True], counts[severity, False]
        if new or old:
            parts.append(f"{new} new {severity if new == 1 else plural}" + (f" and {old} not new" if old else ""))
    judged = report.stats.get("judged", 0)
    if not judged:
        return "nothing to judge: no file differs from the base" if report.base.commit else "nothing was judged"
    suppressed = sum(bool(finding.suppressed) for finding in report.findings)
    tail = f"; {suppressed} suppressed" if suppressed else ""
    found = ", ".join(parts) or ("no errors, no warnings" if report.shown else "no findings")
    return f"{found} in {judged} file{'' if judged == 1 else 's'} judged{tail}"


def _paint(text: str, color: str, style: Style) -> str:
    code = _COLORS.get(color)
    return f"\033[{code}m{text}\033[0m" if style.color and code else text
