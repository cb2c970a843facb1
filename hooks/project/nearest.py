"""Live paths that a dead one may have meant."""

from __future__ import annotations

from . import Project
from .dotted import UNKNOWN, resolve
from .public import paths_of


def nearest(project: Project, dotted: str) -> list[str]:
    """Paths with the same last name, one for each thing of that name, public ones if there are any; for
    ``module.Class.member``, of the class.

    Nothing is guessed: another spelling than that of letter case is not offered.
    """
    head, _, name = dotted.rpartition(".")
    found = _called(project).get(name.lower(), [])
    found = [path for path in found if path.rpartition(".")[2] == name] or found
    # The same thing below the module that was named reads as what was meant.
    beside = [f"{head}.{path.rpartition('.')[2]}" for path in found]
    found = [near if resolve(project, near) == resolve(project, path) else path for near, path in zip(beside, found)]
    found = found or _defined(project, name)
    if found:
        return found
    owner = head.rpartition(".")[2]
    if owner[:1].isupper():
        owners = [path for path in _called(project).get(owner.lower(), []) if path.rpartition(".")[2] == owner]
        paths = [f"{path}.{name}" for path in owners]
        return [path for path in paths if resolve(project, path) not in (None, UNKNOWN)]
    return []


def _defined(project: Project, name: str) -> list[str]:
    """Paths of what no package exports: its module and its name."""
    key = ("defined names",)
    if key not in project.memo:
        found: dict[str, dict[str, None]] = {}
        for path in project.tree.paths(project.profile["package"], ".py"):
            module = project.module(path)
            for item in (*module.classes, *module.functions) if module else ():
                found.setdefault(item.qualname, {})[path] = None
        project.memo[key] = found
    modules = [path.removesuffix(".py").removesuffix("/__init__") for path in project.memo[key].get(name, ())]
    return [f"{module.replace('/', '.')}.{name}" for module in modules]


def _called(project: Project) -> dict[str, list[str]]:
    """Last name in lower case -> the shortest public path of each thing that is called so."""
    key = ("public names",)
    if key not in project.memo:
        found: dict[str, list[str]] = {}
        for paths in paths_of(project).values():
            names = {path.rpartition(".")[2] for path in paths}
            for name in sorted(names):
                shortest = next(path for path in paths if path.rpartition(".")[2] == name)
                found.setdefault(name.lower(), []).append(shortest)
        project.memo[key] = {name: sorted(paths) for name, paths in found.items()}
    return project.memo[key]
