"""The import graph of the package: what importing a module imports, and whether that comes back to where it began.

Counted is what runs when a module is imported; imports in functions and for type checkers are not.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..facts.records import Import
from . import Project
from .guards import ancestors, at_import, for_types, refuses, unguarded
from .lazy import Attribute, lazy
from .names import bindings, module_path

Edges = Mapping[str, set[str]]
"""Module -> the modules that it imports."""


def target(project: Project, path: str, item: Import) -> str | None:
    """The file of the package that an import asks for: the submodule that it names, else the module."""
    key = ("target", path, item.module, item.name, item.level)
    if key not in project.memo:
        project.memo[key] = _target(project, path, item)
    return project.memo[key]


def is_internal(project: Project, item: Import) -> bool:
    """Whether an import asks for a module of the package."""
    return bool(item.level) or item.module.partition(".")[0] == project.profile["package"]


def comes_back(project: Project, path: str, wanted: str, more: Edges = MappingProxyType({})) -> bool:
    """Whether importing ``wanted`` at the top of ``path`` needs ``path``, or a package that is just importing it.

    Args:
        more: imports that are to be taken for granted besides those of the tree.
    """
    return wanted == path or wanted in ancestors(path) or path in closure(project, wanted, more)


def missing(project: Project, path: str, wanted: str) -> list[str]:
    """Optional packages without which ``wanted`` cannot be imported, those that ``path`` needs anyway left out."""
    needed = {wanted, *closure(project, wanted)} - {path, *closure(project, path)}
    found = set()
    for each in needed:
        found.update(item.module for item in unguarded(project, each))
        found.update(refuses(project, each))
    return sorted(found)


def closure(project: Project, start: str, more: Edges = MappingProxyType({})) -> set[str]:
    """Every module that importing one imports, the packages that they lie in included.

    Which of them are there already depends on what is imported first, so none is taken to be.
    """
    key = ("closure", start)
    if not more and key in project.memo:
        return project.memo[key]
    found = {each for each in ancestors(start) if each in project.tree}
    waiting = [start, *found]
    while waiting:
        path = waiting.pop()
        if not more and ("closure", path) in project.memo:
            found |= project.memo["closure", path]
            continue
        news = _neighbours(project, path) - found
        for other in more.get(path, ()):
            news |= {other, *ancestors(other)} - found
        found |= news
        waiting += news
    if not more:
        project.memo[key] = found
    return found


def _neighbours(project: Project, path: str) -> frozenset[str]:
    """What a module imports, with the packages that this lies in."""
    key = ("neighbours", path)
    if key not in project.memo:
        project.memo[key] = frozenset(
            each for other in edges(project, path) for each in (other, *ancestors(other)) if each in project.tree
        )
    return project.memo[key]


def on_demand(project: Project, path: str, item: Import) -> Attribute | object | None:
    """What a ``from`` import gets from a module's ``__getattr__``; None where the module has the name by itself."""
    outer = module_path(project, item.module, item.level, path) if item.name else None
    if outer is None or item.name in _names(project, outer):
        return None
    if module_path(project, f"{item.module}.{item.name}".strip("."), item.level, path):
        return None
    return lazy(project, outer, item.name)


def edges(project: Project, path: str) -> list[str]:
    """The modules of the package that a module names in its imports."""
    key = ("edges", path)
    if key not in project.memo:
        targets = [target(project, path, item) for item in at_import(project, path) if is_internal(project, item)]
        # ``from a.b import name`` imports a.b, too, where name is a module of its own.
        outer = [
            module_path(project, item.module, item.level, path)
            for item in at_import(project, path)
            if item.name and is_internal(project, item)
        ]
        late = [on_demand(project, path, item) for item in at_import(project, path) if is_internal(project, item)]
        targets += [each.path for each in late if isinstance(each, Attribute)]
        project.memo[key] = list(dict.fromkeys(each for each in (*targets, *outer) if each and each != path))
    return project.memo[key]


def _names(project: Project, path: str) -> set[str]:
    """What a module binds when it is imported."""
    key = ("names at import", path)
    if key not in project.memo:
        module = project.module(path)
        found = {item.bound for item in at_import(project, path)}
        if module is not None:
            found |= {
                item.name
                for item in (*module.assigns, *module.functions, *module.classes)
                if not for_types(item.guards)
            }
        project.memo[key] = found
    return project.memo[key]


def _target(project: Project, path: str, item: Import) -> str | None:
    outer = module_path(project, item.module, item.level, path)
    if not item.name:
        return outer
    if outer is not None and ("", item.name) in (bindings(project, outer) or {}):
        return outer
    inner = module_path(project, f"{item.module}.{item.name}".strip("."), item.level, path)
    return inner or outer
