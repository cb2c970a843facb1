"""What a reviewer must see before anything else: what a change takes out of the reach of tests and rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from .change import Change
from .finding import Finding, First, order
from .profile import CONFIG
from .project import Project
from .suppress import COMMENTED


def first(change: Change, findings: list[Finding]) -> list[First]:
    """Removed tests, then suppressions and waivers, then grown allowlists; answered or not.

    Args:
        findings: what the run found, suppressed findings included.
    """
    if change.before is None:
        return []
    removed = [
        First("removed test", item.path, item.line, item.symbol + (f" ({item.suppressed})" if item.suppressed else ""))
        for item in sorted(findings, key=order)
        if item.rule == "lost-test"
    ]
    return [*removed, *_suppressions(change), *_waivers(change), *_allowlists(change)]


def _suppressions(change: Change) -> Iterator[First]:
    known: Counter[tuple] | None = None
    for path in sorted(change.changed):
        here = change.project.suppressions(path) if path.endswith(COMMENTED) and path in change.project.tree else ()
        for item in here:
            if known is None:
                # A suppression that moved with its code is not new.
                known = Counter(
                    (old.rules, old.reason)
                    for other in sorted(change.changed)
                    if other.endswith(COMMENTED) and other in change.before.tree
                    for old in change.before.suppressions(other)
                )
            if known[item.rules, item.reason] > 0:
                known[item.rules, item.reason] -= 1
            else:
                yield First("new suppression", path, item.line, _reasoned(", ".join(item.rules), item.reason))


def _waivers(change: Change) -> Iterator[First]:
    if CONFIG not in change.changed:
        return
    old, new = _table(change.before), _table(change.project)
    known = [_waiver(row) for row in _rows(old)]
    for row in _rows(new):
        rule, symbol, reason = _waiver(row)
        if (rule, symbol) not in {item[:2] for item in known}:
            yield First("new waiver", CONFIG, _line(change.project, symbol), _reasoned(f"{rule} {symbol}", reason))
    off = [{name for name, value in _dict(table, "rules").items() if value == "off"} for table in (old, new)]
    for name in sorted(off[1] - off[0]):
        yield First("rule turned off", CONFIG, _line(change.project, name), name)


def _allowlists(change: Change) -> Iterator[First]:
    for entry in change.project.profile["allowlists"]:
        path, _, name = (part.strip() for part in entry.partition(":"))
        if path not in change.changed or path not in change.project.tree:
            continue
        from .project.allowlist import listed

        old = Counter(listed(change.before, path, name))
        grown = [item for item in listed(change.project, path, name) if not old[item]]
        if grown and sum(old.values()):
            yield First("grown allowlist", path, _line(change.project, name, path), f"{name}: {', '.join(grown)}")


def _reasoned(text: str, reason: str) -> str:
    return f"{text}: {reason}" if reason else f"{text}, without a reason"


def _table(project: Project) -> dict[str, Any]:
    from .project.pyproject import pyproject

    return _dict(_dict(pyproject(project), "tool"), "torchrl-preflight")


def _dict(table: dict[str, Any], key: str) -> dict[str, Any]:
    found = table.get(key)
    return found if isinstance(found, dict) else {}


def _rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    rows = table.get("waivers")
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _waiver(row: dict[str, Any]) -> tuple[str, str, str]:
    return tuple(str(row.get(key) or "").strip() for key in ("rule", "symbol", "reason"))


def _line(project: Project, word: str, path: str = CONFIG) -> int | None:
    text = (project.text(path) or "").splitlines()
    return next((number for number, row in enumerate(text, 1) if word and word in row), None)
