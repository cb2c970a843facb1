"""Which lines of a change are new: those that were not merely moved within a file or between files."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..change import Change

Lines = dict[str, dict[int, str]]


def added(change: Change) -> Lines:
    """Path -> line number -> text, without indentation, of every new line of the Python files of package and tests."""
    return _compared(change)[0]


def removed(change: Change) -> list[str]:
    """The lines that are gone, without indentation; those that stand elsewhere now are not among them."""
    return _compared(change)[1]


def _compared(change: Change) -> tuple[Lines, list[str]]:
    memo, key = change.project.memo, ("added", change.before.tree.label)
    if key not in memo:
        memo[key] = _compare(change)
    return memo[key]


def _compare(change: Change) -> tuple[Lines, list[str]]:
    project, before = change.project, change.before
    folders = (project.profile["package"] + "/", project.profile["tests"] + "/")
    new: Lines = {}
    gone: Counter[str] = Counter()
    split: set[str] = set()
    old_names = change.renames
    renamed = set(old_names.values())
    for path in sorted(change.changed):
        if not path.endswith(".py") or not path.startswith(folders):
            continue
        if path not in project.tree:
            if path not in renamed:
                gone.update(_lines(before.text(path)))
            continue
        old = Counter(_lines(before.text(old_names.get(path, path))))
        if path in old_names:
            split.update(old)
        here: dict[int, str] = {}
        for number, line in enumerate((project.text(path) or "").splitlines(), 1):
            text = line.strip()
            if not text or text[0] == "#":
                continue
            if old[text] > 0:
                old[text] -= 1
            else:
                here[number] = text
        gone.update(+old)
        new[path] = here
    moved = set()
    for path, here in new.items():
        # A line that went away somewhere may come back in several files: a module that is split repeats its imports,
        # and one of the parts counts as the module renamed.
        moved.update(text for text in here.values() if gone[text])
        apart = split if change.is_new_file(path) else ()
        new[path] = {number: text for number, text in here.items() if not gone[text] and text not in apart}
    return {path: here for path, here in new.items() if here}, [text for text in gone.elements() if text not in moved]


def _lines(text: str | None) -> list[str]:
    return [line for line in map(str.strip, (text or "").splitlines()) if line and line[0] != "#"]
