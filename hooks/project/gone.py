"""Names that a change takes away from files of the package, moved ones included: what refers to them may be dead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from . import Project
from .names import bindings

if TYPE_CHECKING:
    from ..change import Change

_QUOTED = re.compile(r"""["'](\w+)["']""")


def gone(change: Change) -> set[str]:
    """Last names that some file of the base binds, in a module, a class or for its ``__getattr__``, and has no more."""
    if change.before is None:
        return set()
    key = ("gone", change.before.tree.label)
    if key not in change.project.memo:
        package = change.project.profile["package"] + "/"
        found: set[str] = set()
        for path in change.changed:
            if path.startswith(package) and path.endswith(".py") and path in change.before.tree:
                found |= _names(change.before, path) - _names(change.project, path)
        change.project.memo[key] = {name for name in found if not name.startswith("_")}
    return change.project.memo[key]


def _names(project: Project, path: str) -> set[str]:
    module = project.module(path)
    if module is None:
        return set()
    classes = {"", *(item.qualname for item in module.classes)}
    index = bindings(project, path) or {}
    names = {name for scope, name in index if scope in classes}
    if ("", "__getattr__") in index or ("", "__all__") in index:
        names |= set(_QUOTED.findall(project.text(path) or ""))
    return names
