"""The docstrings of a definition: its own, and that of its ``__init__``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.records import Class, Function
from . import Project

if TYPE_CHECKING:
    from ..facts.docstrings import Docstring


def docstring_of(project: Project, path: str, record: Class | Function) -> Docstring | None:
    """What the docstring of a class, function or method says; None where it has none."""
    return _by_place(project, path).get((record.qualname, record.line))


def all_of(project: Project, path: str, record: Class | Function) -> list[Docstring]:
    """Docstrings that describe how a thing is called: its own and, of a class, those of its constructors."""
    found = [docstring_of(project, path, record)]
    if isinstance(record, Class):
        makers = (f"{record.qualname}.__init__", f"{record.qualname}.__new__")
        found += [item for (scope, _), item in _by_place(project, path).items() if scope in makers]
    return [item for item in found if item is not None]


def _by_place(project: Project, path: str) -> dict[tuple[str, int], Docstring]:
    key = ("docstrings", path)
    if key not in project.memo:
        facts = project.docstrings(path)
        project.memo[key] = {(item.scope, item.line): item for item in facts.found} if facts else {}
    return project.memo[key]
