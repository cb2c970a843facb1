"""What follows from whole trees, kept for the next run over the same trees.

The key is a digest of all that could have been read: both trees, their releases, the profile, which
packages are installed, this room's own code. So any difference anywhere means that it is computed again,
and nothing that depends on other tags, on commits or the environment may be kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from .change import Change
from .finding import Finding
from .project import Project
from .project.installed import present
from .project.releases import released

if TYPE_CHECKING:
    from .rules._rule import Rule

_MANY = 200
"""Judging fewer files costs less than looking the answer up."""

Plain = TypeVar("Plain")


def kept(change: Change, kind: str, compute: Callable[[], Plain]) -> Plain:
    """Plain values that follow from the change's trees: from the store, or computed and given to it."""
    if len(change.judged) < _MANY:
        return compute()
    store, key = change.project.store, _digest(change)
    value = store.recall(kind, key)
    if value is None:
        value = compute()
        # What was not read may be there the next time.
        if not any(side.tree.unreadable for side in (change.project, change.before) if side is not None):
            store.keep(kind, key, value)
    return value


def findings(rule: Rule, change: Change) -> Iterator[Finding]:
    """What a rule finds; kept for a rule that says ``REPEATABLE``."""
    if not rule.repeatable:
        yield from rule.check(change)
        return
    yield from part(change, rule.name, lambda: rule.check(change))


def part(change: Change, name: str, judge: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """Findings that follow from the trees, for a rule that has others, too."""
    found, notes = kept(change, f"verdict of {name}", lambda: _judged(change.project, judge))
    for note in notes:
        change.project.note(note)
    for fields in found:
        yield Finding._make(fields)


def _judged(project: Project, judge: Callable[[], Iterable[Finding]]) -> tuple[tuple, tuple]:
    """The findings as plain tuples, and the notes that came with them."""
    before, project.notes = project.notes, []
    try:
        found = tuple(tuple(finding) for finding in judge())
    finally:
        notes, project.notes = tuple(project.notes), before
    return found, notes


def _digest(change: Change) -> str:
    key = ("digest", change.everything, () if change.everything else tuple(change.judged))
    memo = change.project.memo
    if key not in memo:
        digest = hashlib.sha1(change.project.store.code().encode(), usedforsecurity=False)
        digest.update(repr((key, change.project.profile.values, present())).encode("utf-8", "surrogatepass"))
        for side in (change.project, change.before):
            releases = released(side) if side is not None else ()
            digest.update(f"\1tree\1{releases!r}\1".encode())
            for path in sorted(side.tree.blobs) if side is not None else ():
                digest.update(f"{path}\0{side.tree.stamp(path)}\n".encode("utf-8", "surrogatepass"))
        memo[key] = digest.hexdigest()
    return memo[key]
