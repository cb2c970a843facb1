"""The classes that an attribute is looked up in, in Python's order, across installed packages."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..facts.records import Assign, Class, Function
from . import Project, installed
from .names import Definition, lookup, module_path

_STARS = 5


class Link(NamedTuple):
    """One class of a method resolution order.

    Args:
        project: the tree that has it; None where nothing can be read about it.
        record: None with ``project``.
        name: qualified name in its file, or the dotted name of what could not be read.
    """

    project: Project | None
    path: str
    record: Class | None
    name: str

    def methods(self, name: str) -> list[Function]:
        """Definitions of a method in the class itself, in the order of the file."""
        return methods(self.project, self.path).get(f"{self.name}.{name}", []) if self.project else []


class Place(NamedTuple):
    """A class or function, and the tree that has it."""

    project: Project
    path: str
    record: Class | Function


def methods(project: Project, path: str) -> dict[str, list[Function]]:
    """Qualified name -> functions of a file."""
    key = ("methods", path)
    if key not in project.memo:
        found: dict[str, list[Function]] = {}
        module = project.module(path)
        for function in module.functions if module else ():
            found.setdefault(function.qualname, []).append(function)
        project.memo[key] = found
    return project.memo[key]


def find(project: Project, dotted: str) -> Place | str | None:
    """The class or function behind a full dotted name.

    Returns:
        Where it is; a string (why) where that cannot be decided; None where there is certainly no such thing.
    """
    key = ("find", dotted)
    if key not in project.memo:
        project.memo[key] = f"{dotted} is imported in a circle"
        project.memo[key] = _find(project, dotted)
    return project.memo[key]


def used(project: Project, path: str, dotted: str, scope: str = "") -> Place | str | None:
    """The class or function that a name of a file means; like ``find``, None also where the file binds no such name."""
    key = ("used", path, dotted, scope)
    if key not in project.memo:
        project.memo[key] = f"{dotted} is imported in a circle"
        project.memo[key] = _used(project, path, dotted, scope)
    return project.memo[key]


def mro(project: Project, path: str, record: Class) -> tuple[Link, ...]:
    """Method resolution order of a class, itself first; what is not consistent is in depth-first order."""
    key = ("mro", path, record.qualname, record.line)
    if key not in project.memo:
        project.memo[key] = (Link(project, path, record, record.qualname),)  # A circle ends here.
        project.memo[key] = _linearise(project, path, record)
    return project.memo[key]


def _used(project: Project, path: str, dotted: str, scope: str) -> Place | str | None:
    definition = lookup(project, path, dotted, scope)
    if definition is None or (isinstance(definition.record, Assign) and definition.record.value == "None"):
        return _optional(project, path, dotted) or (
            _starred(project, path, dotted, _STARS) if definition is None else None
        )
    return _place(project, definition)


def _find(project: Project, dotted: str) -> Place | str | None:
    parts = dotted.split(".")
    if module_path(project, parts[0], 0, "") is None:
        other = installed.package(project, parts[0])
        return find(other, dotted) if other else f"{parts[0]} is not installed here"
    for cut in range(len(parts) - 1, 0, -1):
        path = module_path(project, ".".join(parts[:cut]), 0, "")
        if path is None:
            continue
        if (facts := project.parsed(path)) is None or facts.failure:
            return f"{path} cannot be read"
        found = used(project, path, ".".join(parts[cut:]))
        if found is None and any(function.qualname == "__getattr__" for function in facts.functions):
            # It can only answer to names that the file spells out.
            if re.search(rf"""["']{parts[cut]}["']""", project.text(path) or ""):
                return f"{path} has a __getattr__"
        return found
    return None


def _place(project: Project, definition: Definition, hops: int = 8) -> Place | str | None:
    record = definition.record
    if isinstance(record, (Class, Function)):
        return Place(project, definition.path, record)
    if isinstance(record, Assign):
        value = record.value.strip()
        if not hops or not re.fullmatch(r"[\w.]+", value) or value == definition.name:
            return f"{definition.name} is computed"
        inner = lookup(project, definition.path, value)
        if inner is None or inner == definition:
            return f"{definition.name} is computed"
        return _place(project, inner, hops - 1)
    if definition.path:
        return f"{definition.path} is a module"
    return _outside(project, definition.name)


def _outside(project: Project, dotted: str) -> Place | str | None:
    """Something that the tree imports from elsewhere, or from a file of its own that does not bind it plainly."""
    first = dotted.partition(".")[0]
    if module_path(project, first, 0, "") is None:
        other = installed.package(project, first)
        return find(other, dotted) if other else dotted
    return find(project, dotted)


def _optional(project: Project, path: str, dotted: str) -> Place | str | None:
    """What ``try: from x import Y`` brings where the fallback is ``Y = None``."""
    module = project.module(path)
    for item in module.imports if module else ():
        if item.bound == dotted and item.name and not item.scope:
            source = module_path(project, item.module, item.level, path)
            return used(project, source, item.name) if source else _outside(project, f"{item.module}.{item.name}")
    return None


def _starred(project: Project, path: str, dotted: str, hops: int) -> Place | str | None:
    module = project.module(path)
    undecided = None
    for item in reversed(module.imports) if module and hops else ():
        if item.name == "*" and not item.scope:
            source = module_path(project, item.module, item.level, path)
            if source is None:
                other = installed.package(project, item.module.partition(".")[0]) if not item.level else None
                found = find(other, f"{item.module}.{dotted}") if other else f"{path} imports * from {item.module}"
            else:
                definition = lookup(project, source, dotted)
                found = _place(project, definition) if definition else _starred(project, source, dotted, hops - 1)
            if isinstance(found, Place):
                return found
            undecided = undecided or found
    return undecided


def _linearise(project: Project, path: str, record: Class) -> tuple[Link, ...]:
    own = Link(project, path, record, record.qualname)
    bases: list[tuple[Link, ...]] = []
    scope = record.qualname.rpartition(".")[0]
    for text in record.bases:
        name = text.partition("[")[0].strip()
        if name in ("object", ""):
            continue
        found = used(project, path, name, scope) if re.fullmatch(r"[\w.]+", name) else None
        if isinstance(found, Place) and isinstance(found.record, Class) and found[1:] != (path, record):
            bases.append(mro(*found))
        else:
            bases.append((Link(None, "", None, found if isinstance(found, str) and " " not in found else name),))
    return own, *_merge([*bases, tuple(line[0] for line in bases)])


def _merge(lines: list[tuple[Link, ...]]) -> list[Link]:
    """C3: the first head that stands in no other line's tail."""

    def key(link: Link) -> tuple[str, str]:
        return link.path, link.name

    keyed = [[(key(link), link) for link in line] for line in lines if line]
    out: list[Link] = []
    while keyed:
        tails = {name for line in keyed for name, _ in line[1:]}
        head = next((line[0] for line in keyed if line[0][0] not in tails), keyed[0][0])
        out.append(head[1])
        keyed = [rest for line in keyed if (rest := [item for item in line if item[0] != head[0]])]
    return out


def elsewhere(project: Project, name: str, package: str) -> list[str]:
    """Dotted paths of the classes of a name in a package."""
    return [
        f"{path.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}.{name}"
        for path in project.tree.paths(package, ".py")
        if (module := project.module(path)) and any(item.qualname == name for item in module.classes)
    ]
