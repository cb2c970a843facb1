"""A public class or function without a docstring.

What it protects: the reference page, which is made of docstrings and stays empty without one.

A ``noqa`` for another checker is no answer. Classes and functions that are deprecated or only raise are advisories.

Bad:

    class MyEnv(EnvBase):
        def __init__(self, size):
            ...

Good:

    class MyEnv(EnvBase):
        \"\"\"A grid of a given size.

        Args:
            size (int): number of cells on a side.

        Examples:
            >>> env = MyEnv(size=3)
        \"\"\"

How to fix: say what it is, its arguments, and show one use.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project.retired import retired
from ._public import Subject, subjects

SUMMARY = "A public class or function has no docstring"
SEVERITY = "error"
SECTION = "8"
CONCERNS = ("package",)
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    for item in subjects(change):
        if not _documented(change, item):
            yield Finding(
                item.path,
                item.record.line,
                item.name,
                f"{item.name} is public and has no docstring",
                "Say what it is, its arguments, and show one use with >>>.",
                text="no docstring",
                severity="advisory" if retired(change.project, item.path, item.record) else "",
            )


def _documented(change: Change, item: Subject) -> bool:
    """Whether a definition or another of its name (under if or a dispatching decorator) has one, or is given one."""
    module = change.project.module(item.path)
    same = [part for part in (*module.classes, *module.functions) if part.qualname == item.record.qualname]
    if any(part.doc for part in same):
        return True
    given = any(part.name == "__doc__" and part.scope == item.record.qualname for part in module.assigns)
    return given or f"{item.record.name}.__doc__" in (change.project.text(item.path) or "")
