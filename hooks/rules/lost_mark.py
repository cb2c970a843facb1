"""A test that stays has lost a mark or a gate: a skipif, gpu, slow, or a fixture that skipped it.

What it protects: the hosts where the test cannot run. A file that is split, a class that takes a new base or a function
put between a decorator and its class takes marks away without a line that says so, and main breaks days later.

Marks of the test, its classes and modules count, conditions around it, ``importorskip``, and fixtures that skip. A
condition that was changed, joined with another or moved into the test's body is not lost.

A skip or xfail taken off in place says that the test works now, so it is not reported. Whether a test needs the GPU marker is
gpu-marker-missing's to say, so one that was taken off in place is an advisory here.

Bad: ``@pytest.mark.skipif(not _has_tv, ...)`` stood on ``TestCrop`` in the old file; in the new one it stands on the class below.

Good: the mark moves with the class.

How to fix: put the mark back on the test or its class; if it is not needed any more, say so beside the test with
``# preflight: ignore[lost-mark] reason``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from ..project import Project
from ..project.survival import fates

if TYPE_CHECKING:
    from ..project.holds import Hold

SUMMARY = "A test has lost a mark or gate that it had"
SEVERITY = "warning"
SECTION = "7a"
CHANGE_RULE = True

_REPAIRED = ("skip", "xfail")
"""Taken off in place, these say that the test works now."""


def check(change: Change) -> Iterator[Finding]:
    marker = change.project.profile["gpu"]["marker"]
    known = fates(change)
    if not known:
        return
    from ..project.holds import lost

    for fate in known:
        gone = lost(change.before, fate.old, change.project, fate.new) if fate.new else []
        plain = [hold for hold in gone if _in_place(change, hold)]
        holds = [hold for hold in gone if hold not in plain or hold.name not in _REPAIRED]
        if not holds:
            continue
        new = fate.new
        moved = (new.path, new.symbol) != (fate.old.path, fate.old.symbol)
        came = f"came from {fate.old.path}:{fate.old.line}" + f" ({fate.old.symbol})" * (new.symbol != fate.old.symbol)
        what = " and ".join(_what(hold) for hold in holds)
        yield Finding(
            new.path,
            new.line,
            new.symbol,
            f"The test {came} and lost on the way {what}" if moved else f"The test has lost {what}",
            "Put it back, or say beside the test why it is not needed: # preflight: ignore[lost-mark] reason.",
            text=what,
            severity="advisory" if all(hold in plain and hold.name == marker for hold in holds) else "",
            derived_from=(fate.old.path,) if moved else (),
            verify=f'python -m pytest --collect-only -q "{new.path}::{new.symbol}"',
        )


def _what(hold: Hold) -> str:
    text = f"its skipif ({hold.text})" if hold.name == "skipif" else f"its mark {hold.name}"
    stood = (
        f"around the definition at {hold.path}:{hold.line}"
        if hold.how == "if"
        else f"on the {hold.how} at {hold.path}:{hold.line}"
    )
    return f"{text}, which stood {stood}"


def _in_place(change: Change, hold: Hold) -> bool:
    """Whether a mark was taken off where it stood, and the line that made it is not left to something else."""
    if not hold.own or hold.path not in change.project.tree:
        return False
    return _count(change.project, hold.path, hold) < _count(change.before, hold.path, hold)


def _count(project: Project, path: str, hold: Hold) -> int:
    """How often a decorator or assignment of a file says it."""
    module = project.module(path)
    owners = (*module.functions, *module.classes) if module else ()
    texts = [item.text for owner in owners for item in owner.decorators]
    return sum(hold.text in " ".join(text.split()) for text in texts)
