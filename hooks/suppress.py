"""Which findings the target has answered: by a comment at the place, or by a waiver."""

from __future__ import annotations

from .change import Change
from .facts.records import Module, Suppression, plain, revive
from .finding import Finding
from .kept import kept

COMMENTED = (".py", ".rst", ".sh", ".toml", ".yaml", ".yml")
"""Files whose comments are read."""


def suppress(change: Change, findings: list[Finding]) -> list[Finding]:
    """Sets ``suppressed`` to what answers a finding: ``path:line rule`` or ``waiver rule symbol``, unless its rule did."""
    return [finding._replace(suppressed=finding.suppressed or _answer(change, finding)) for finding in findings]


def written(change: Change) -> dict[str, tuple[Suppression, ...]]:
    """The suppression comments of the judged files, by path; files without one are left out."""
    key = ("suppressions", change.everything, tuple(change.judged) if not change.everything else ())
    memo = change.project.memo
    if key not in memo:
        rows = kept(change, "suppressions", lambda: _written(change))
        memo[key] = {path: tuple(revive(Suppression, item) for item in items) for path, items in rows}
    return memo[key]


def _written(change: Change) -> tuple:
    found = ((path, change.project.suppressions(path)) for path in change.judged if path.endswith(COMMENTED))
    return tuple((path, plain(items)) for path, items in found if items)


def _answer(change: Change, finding: Finding) -> str:
    for item in _suppressions(change, finding.path) if finding.line else ():
        if finding.rule in item.rules and _applies(item, finding.line, _module(change, finding.path)):
            return f"{finding.path}:{item.line} {finding.rule}"
    for waiver in change.project.profile.waivers:
        if waiver.rule == finding.rule and waiver.symbol == finding.symbol:
            return f"waiver {finding.rule} {finding.symbol}"
    return ""


def _module(change: Change, path: str) -> Module | None:
    return change.project.module(path) if path.endswith(".py") else None


def _suppressions(change: Change, path: str) -> tuple[Suppression, ...]:
    if change.everything:
        return written(change).get(path, ())
    # A finding may be in a file that did not change but imports one that did.
    return change.project.suppressions(path) if path.endswith(COMMENTED) else ()


def _applies(item: Suppression, line: int, module: Module | None) -> bool:
    """On the line, or on a line of its own above the statement, decorators included."""
    if item.line == line:
        return True
    if not item.own_line:
        return False
    first = line
    for definition in (*module.functions, *module.classes) if module else ():
        if definition.line == line and definition.decorators:
            first = definition.decorators[0].line
    return item.line in (line - 1, first - 1)
