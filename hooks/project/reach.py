"""Through which public import a module of the package is reached, so that its failure is the user's failure."""

from __future__ import annotations

from typing import NamedTuple

from . import Project
from .cycles import is_internal, target
from .guards import ancestors, at_import, for_types, may_fail


class Reached(NamedTuple):
    """How a module is reached.

    Args:
        kind: "public" (by an import that a user writes), "lazy" (through a module's ``__getattr__`` alone) or "".
        through: the public module, as dotted name.
    """

    kind: str
    through: str = ""


def reached(project: Project, path: str) -> Reached:
    """The public module that imports a module, itself where its own name is public."""
    waiting, seen = [path], {path}
    lazy = Reached("")
    while waiting:
        current = waiting.pop(0)
        if is_public(current):
            return Reached("public", name_of(current))
        for other, how in _importers(project).get(current, ()):
            if how == "plain" and other not in seen:
                seen.add(other)
                waiting.append(other)
            elif how == "lazy" and not lazy.kind:
                lazy = Reached("lazy", name_of(other))
    return lazy


def is_public(path: str) -> bool:
    """Whether no part of a module's name begins with an underscore."""
    return not any(part.startswith("_") for part in name_of(path).split("."))


def name_of(path: str) -> str:
    """Dotted name of a module's file."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _importers(project: Project) -> dict[str, list[tuple[str, str]]]:
    """Module -> who imports it, and how: "plain" at module level without a condition, or "lazy"."""
    if "importers" not in project.memo:
        found: dict[str, list[tuple[str, str]]] = {}
        for path in project.tree.paths(project.profile["package"], ".py"):
            module = project.module(path)
            top = {id(item) for item in at_import(project, path)}
            for item in module.imports if module else ():
                if not is_internal(project, item) or for_types(item.guards):
                    continue
                plain = id(item) in top and not may_fail(item.guards)
                if plain or item.scope == "__getattr__":
                    wanted = target(project, path, item)
                    # Importing a module imports the packages that it lies in.
                    for each in (wanted, *ancestors(wanted)) if wanted else ():
                        found.setdefault(each, []).append((path, "plain" if plain else "lazy"))
        project.memo["importers"] = found
    return project.memo["importers"]
