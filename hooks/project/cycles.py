"""The import graph of the package: what importing a module imports, and whether that comes back to where it began.

Counted is what runs when a module is imported; imports in functions and for type checkers are not.
"""

from __future__ import annotations

from ..facts.records import Import
from . import Project
from .guards import ancestors, at_import, refuses, unguarded
from .names import bindings, module_path


def target(project: Project, path: str, item: Import) -> str | None:
    """The file of the package that an import asks for: the submodule that it names, else the module."""
    key = ("target", path, item.module, item.name, item.level)
    if key not in project.memo:
        project.memo[key] = _target(project, path, item)
    return project.memo[key]


def is_internal(project: Project, item: Import) -> bool:
    """Whether an import asks for a module of the package."""
    return bool(item.level) or item.module.partition(".")[0] == project.profile["package"]


def comes_back(project: Project, path: str, wanted: str) -> bool:
    """Whether importing ``wanted`` at the top of ``path`` needs ``path``, or a package that is just importing it."""
    above = frozenset(ancestors(path))
    return wanted == path or wanted in above or path in closure(project, wanted, above | {path})


def missing(project: Project, path: str, wanted: str) -> list[str]:
    """Optional packages without which ``wanted`` cannot be imported, those that ``path`` needs anyway left out."""
    above = frozenset((path, *ancestors(path)))
    needed = {wanted, *closure(project, wanted, above)} - {path, *closure(project, path, above)}
    found = set()
    for each in needed:
        found.update(item.module for item in unguarded(project, each))
        found.update(refuses(project, each))
    return sorted(found)


def closure(project: Project, start: str, loaded: frozenset[str]) -> set[str]:
    """Every module that importing one imports; packages in ``loaded`` are entered only where they are named."""
    found = {each for each in ancestors(start) if each not in loaded and each in project.tree}
    waiting = [start, *found]
    while waiting:
        path = waiting.pop()
        for other in edges(project, path):
            for each in (other, *[each for each in ancestors(other) if each not in loaded]):
                if each not in found and each in project.tree:
                    found.add(each)
                    waiting.append(each)
    return found


def edges(project: Project, path: str) -> list[str]:
    """The modules of the package that a module names in its imports."""
    key = ("edges", path)
    if key not in project.memo:
        targets = [target(project, path, item) for item in at_import(project, path) if is_internal(project, item)]
        # ``from a.b import name`` imports a.b, too, where name is a module of its own.
        outer = [module_path(project, item.module, item.level, path) for item in at_import(project, path)
                 if item.name and is_internal(project, item)]
        project.memo[key] = list(dict.fromkeys(each for each in (*targets, *outer) if each and each != path))
    return project.memo[key]


def _target(project: Project, path: str, item: Import) -> str | None:
    outer = module_path(project, item.module, item.level, path)
    if not item.name:
        return outer
    if outer is not None and ("", item.name) in (bindings(project, outer) or {}):
        return outer
    inner = module_path(project, f"{item.module}.{item.name}".strip("."), item.level, path)
    return inner or outer
