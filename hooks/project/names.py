"""What a name means: from the file that uses it to the statement that defines it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..facts.records import Assign, Class, Function, Import, Module
from . import Project

_HOPS = 20
"""Longer import chains are circles."""


class Definition(NamedTuple):
    """Where a name comes from.

    Args:
        path: the defining file, or "" for something outside the tree.
        name: qualified name there; for something outside, its dotted name.
        record: what defines it; None outside the tree. Several definitions of one name (under
            if, try or a dispatching decorator) are ``others``.
    """

    path: str
    name: str
    record: Function | Class | Assign | None
    others: tuple[Function | Class | Assign, ...] = ()


def lookup(project: Project, path: str, dotted: str, scope: str = "") -> Definition | None:
    """Follows a dotted name as used in a file.

    Args:
        scope: qualified name of the function or class around the use; names of enclosing scopes win.

    Returns:
        The definition; None where the file does not bind the name.
    """
    key = ("lookup", path, dotted, scope)
    if key not in project.memo:
        project.memo[key] = _lookup(project, path, dotted, scope)
    return project.memo[key]


def _lookup(project: Project, path: str, dotted: str, scope: str) -> Definition | None:
    first, _, rest = dotted.partition(".")
    index = bindings(project, path)
    if index is None:
        return None
    scopes = [scope]
    while scopes[-1]:
        scopes.append(scopes[-1].rpartition(".")[0])
    for where in scopes:
        found = index.get((where, first))
        if found:
            return _follow(project, path, found, rest, _HOPS)
    return None


def module_path(project: Project, name: str, level: int, path: str) -> str | None:
    """File of a module as imported from a file: absolute from the root or from the file's own folders, or relative.

    Tests import their siblings because pytest puts the folder of a test file on ``sys.path``.
    """
    folder = path.rpartition("/")[0]
    if level:
        for _ in range(level - 1):
            folder = folder.rpartition("/")[0]
        return _module_file(project, "/".join(filter(None, [folder, name.replace(".", "/")])))
    roots = [""]
    while folder:
        roots.append(folder + "/")
        folder = folder.rpartition("/")[0]
    for root in roots:
        if found := _module_file(project, root + name.replace(".", "/")):
            return found
    return None


def importers(project: Project, paths: set[str], among: list[str]) -> Iterator[str]:
    """Those of ``among`` that import one of ``paths`` directly."""
    for path in among:
        module = project.module(path)
        if module and any(
            module_path(project, item.module, item.level, path) in paths
            or module_path(project, f"{item.module}.{item.name}".strip("."), item.level, path) in paths
            for item in module.imports
        ):
            yield path


def _module_file(project: Project, stem: str) -> str | None:
    for candidate in (f"{stem}.py", f"{stem}/__init__.py"):
        if candidate in project.tree:
            return candidate
    return None


def bindings(project: Project, path: str) -> dict[tuple[str, str], list] | None:
    """(scope, name) -> the imports, assignments and definitions that bind it; None where a file cannot be read."""
    key = ("bindings", path)
    if key not in project.memo:
        module = project.module(path)
        project.memo[key] = None if module is None else _index(module)
    return project.memo[key]


def _index(module: Module) -> dict[tuple[str, str], list]:
    index: dict[tuple[str, str], list] = {}
    for item in module.imports:
        index.setdefault((item.scope, item.bound), []).append(item)
    for item in module.assigns:
        if item.value != item.name:  # ``X = X`` defines nothing, it only keeps linters quiet.
            index.setdefault((item.scope, item.name), []).append(item)
    for item in (*module.functions, *module.classes):
        index.setdefault((item.qualname[: -len(item.name) - 1], item.name), []).append(item)
    return index


def _follow(project: Project, path: str, found: list, rest: str, hops: int) -> Definition | None:
    if not hops:
        return None
    last = found[-1]
    if not isinstance(last, Import):
        records = tuple(item for item in found if not isinstance(item, Import))
        name = getattr(last, "qualname", None) or last.name
        if isinstance(last, Class) and rest:
            inner = bindings(project, path).get((last.qualname, rest.partition(".")[0]))
            return _follow(project, path, inner, rest.partition(".")[2], hops - 1) if inner else None
        return Definition(path, f"{name}.{rest}" if rest else name, last, records[:-1])
    if last.name:
        target = module_path(project, last.module, last.level, path)
        if target and target != path:
            inner = (bindings(project, target) or {}).get(("", last.name))
            if inner:
                return _follow(project, target, inner, rest, hops - 1)
        dotted = f"{last.module}.{last.name}".strip(".")
        submodule = module_path(project, dotted, last.level, path)
        if submodule:
            return _in_module(project, submodule, rest, hops) if rest else Definition(submodule, "", None)
        return Definition("", ".".join(filter(None, [dotted, rest])), None)
    # ``import a.b`` binds "a"; with an alias it binds the module itself.
    dotted = ".".join(filter(None, [last.module if last.bound != last.module.partition(".")[0] else last.bound, rest]))
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        target = module_path(project, ".".join(parts[:cut]), 0, path)
        if target:
            return _in_module(project, target, ".".join(parts[cut:]), hops)
    return Definition("", dotted, None)


def _in_module(project: Project, path: str, rest: str, hops: int) -> Definition | None:
    first, _, more = rest.partition(".")
    if not first:
        return Definition(path, "", None)
    inner = (bindings(project, path) or {}).get(("", first))
    if inner:
        return _follow(project, path, inner, more, hops - 1)
    submodule = module_path(project, first, 1, path)
    if submodule:
        return _in_module(project, submodule, more, hops - 1)
    return None
