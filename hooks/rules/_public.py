"""Which public definitions a change may have made worse: those that it touches, and those that it exports anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..change import Change
from ..facts.records import Class, Function
from ..project import Project
from ..project.bodies import docstring
from ..project.mro import mro
from ..project.public import bound, exported, paths_of, public

Identity = tuple[str, str]

_ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")


class Subject(NamedTuple):
    """A public class or function; ``name`` is its shortest public path."""

    path: str
    record: Class | Function
    name: str


def subjects(change: Change) -> Iterator[Subject]:
    """Public classes and functions of the package whose docstring or signature the change may have made wrong."""
    # A file and the package that exports it anew may both name a definition.
    touched = dict.fromkeys(where for path in judged(change) for where in sorted(_touched(change, path)))
    for where in touched:
        if found := subject(change.project, where):
            yield found


def subject(project: Project, where: Identity) -> Subject | None:
    """A definition as what it is to users; None where it is not public, or no class and no function."""
    paths = paths_of(project).get(where)
    record = public(project)[paths[0]].record if paths else None
    if not isinstance(record, (Class, Function)) or where[0].startswith(project.profile["testing"] + "/"):
        return None
    return Subject(where[0], record, paths[0])


def concerned(change: Change) -> bool:
    """Whether a change touches the package or its pages; most others need not even import what judges those."""
    profile = change.project.profile
    folders = (profile["package"] + "/", profile["docs"] + "/")
    return change.everything or any(path.startswith(folders) for path in (*change.judged, *change.changed))


def judged(change: Change) -> list[str]:
    """Judged files of the package."""
    return change.judged_under(change.project.profile["package"], ".py")


def defined(change: Change, path: str, old_counts: bool) -> set[Identity]:
    """Top-level definitions of a file without an underscore; ``old_counts`` says whether also those that the base has."""
    found = _named(change.project, path)
    if not (old_counts or change.before is None or change.everything):
        found -= _named(change.before, change.renames.get(path, path))
    return {(path, name) for name in found}


def exported_anew(change: Change, path: str) -> set[Identity]:
    """Definitions that a package of the base did not export."""
    if change.before is None or change.everything or not path.endswith("/__init__.py"):
        return set()
    known = set(exported(change.before, path)) if path in change.before.tree else set()
    meant = [bound(change.project, path, name) for name in exported(change.project, path) if name not in known]
    return {(item.path, item.name) for item in meant if item is not None and item.path and item.name}


def _named(project: Project, path: str) -> set[str]:
    module = project.module(path)
    items = (*module.classes, *module.functions) if module else ()
    return {item.qualname for item in items if "." not in item.qualname and not item.name.startswith("_")}


def _touched(change: Change, path: str) -> set[Identity]:
    found = defined(change, path, True)
    if change.before is None or change.everything:
        return found
    old = change.renames.get(path, path)
    surfaces = [_surfaces(change.project, path), _surfaces(change.before, old)]
    return {where for where in found if surfaces[0].get(where[1]) != surfaces[1].get(where[1])} | exported_anew(
        change, path
    )


def _surfaces(project: Project, path: str) -> dict[str, list]:
    """What a docstring of a definition speaks of, without lines: outermost name -> docstrings, parameters, fields, bases."""
    module = project.module(path)
    found: dict[str, list] = {}
    for item in (*module.classes, *module.functions) if module else ():
        told = [item.qualname, docstring(project, path, item), [decorator.text for decorator in item.decorators]]
        told += [item.bases, item.keywords] if isinstance(item, Class) else [item.parameters]
        found.setdefault(item.qualname.partition(".")[0], []).append(told)
    for item in module.assigns if module else ():
        if item.scope:
            found.setdefault(item.scope.partition(".")[0], []).append(item[:4])
    return found


def is_config(project: Project, item: Subject) -> bool:
    """Whether a class is a Hydra Config, by its folder or as a dataclass that is called so."""
    called = item.record.name.endswith("Config") and any("dataclass" in part.text for part in item.record.decorators)
    return item.path.startswith(project.profile["configs"] + "/") or called


def is_exempt(project: Project, item: Subject) -> bool:
    """Whether a class needs no example: Configs, protocols, exceptions, enumerations."""
    return isinstance(item.record, Class) and (
        is_config(project, item) or is_protocol(item) or is_exception_or_enum(project, item)
    )


def is_protocol(item: Subject) -> bool:
    """Whether a class only says what others must have."""
    bases = [base.partition("[")[0].rpartition(".")[2] for base in item.record.bases]
    return "Protocol" in bases


def is_exception_or_enum(project: Project, item: Subject) -> bool:
    """Whether a class derives from a built-in exception or an enumeration."""
    import builtins

    for link in mro(project, item.path, item.record):
        name = link.name.rpartition(".")[2]
        kind = getattr(builtins, name, None)
        if name in _ENUMS or (isinstance(kind, type) and issubclass(kind, BaseException)):
            return True
    return False


def is_abstract(project: Project, item: Subject) -> bool:
    """Whether a class is made to be derived from: it says so, or has methods that only a subclass can give."""
    bases = [base.partition("[")[0].rpartition(".")[2] for base in (*item.record.bases, *item.record.keywords)]
    module = project.module(item.path)
    return any(base in ("ABC", "metaclass=ABCMeta", "ABCMeta") for base in bases) or any(
        "abstract" in decorator.text
        for function in module.functions
        if function.qualname.rpartition(".")[0] == item.record.qualname
        for decorator in function.decorators
    )
