"""Who imports what: test files and the files that define the symbols which they import, re-exports followed."""

from __future__ import annotations

from torchrl_preflight.hooks.facts.records import Import
from torchrl_preflight.hooks.project import Project
from torchrl_preflight.hooks.project.names import module_path
from torchrl_preflight.hooks.project.public import bound


def importers(project: Project, paths: set[str], among: list[str]) -> dict[str, str]:
    """Those of ``among`` that import a symbol which one of ``paths`` defines -> that one."""
    found = {}
    for path in among:
        hit = next((each for each in defining(project, path) if each in paths), None)
        if hit is not None and path not in paths:
            found[path] = hit
    return found


def defining(project: Project, path: str) -> list[str]:
    """The files of the tree that define what a file imports, in the order of its imports."""
    key = ("defining", path)
    if key not in project.memo:
        module = project.module(path)
        found = [_defining(project, path, item) for item in module.imports] if module else []
        project.memo[key] = list(dict.fromkeys(each for each in found if each and each != path))
    return project.memo[key]


def _defining(project: Project, path: str, item: Import) -> str | None:
    outer = module_path(project, item.module, item.level, path)
    if outer is None or not item.name or item.name == "*":
        return outer
    meant = bound(project, outer, item.name)
    if meant is not None and meant.path:
        return meant.path
    return module_path(project, f"{item.module}.{item.name}".strip("."), item.level, path) or outer
