"""Whether an import can fail without harm, and whether a file asks first if a package is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..facts.records import Assign, Import
from . import Project
from .bodies import lines
from .names import lookup
from .optional import OPTIONAL, distribution, dotted, need

_CATCHES = re.compile(r"\b(ImportError|ModuleNotFoundError|Exception|BaseException)\b|\*")
_TYPE_CHECKING = re.compile(r"(?:\w+\.)*TYPE_CHECKING")
_FLAG = re.compile(r"_*(?:has|have|is)_\w+|\w+_available(?:_\w+)?", re.IGNORECASE)


def at_import(project: Project, path: str) -> list[Import]:
    """The imports that run when a file is imported: at module level or in a class, not for type checkers only."""
    key = ("at import", path)
    if key not in project.memo:
        module = project.module(path)
        inside = {function.qualname for function in module.functions} if module else ()
        project.memo[key] = [
            item
            for item in (module.imports if module else ())
            if not for_types(item.guards) and not (item.scope and _within(item.scope, inside))
        ]
    return project.memo[key]


def for_types(guards: tuple[str, ...]) -> bool:
    """Whether only type checkers see what stands under some guards."""
    return any(guard.startswith("if ") and _TYPE_CHECKING.fullmatch(guard[3:].strip(" ()")) for guard in guards)


def may_fail(guards: tuple[str, ...]) -> bool:
    """Whether what stands under some guards is caught when it fails, or runs on a condition."""
    return any(map(_shields, guards))


def catches(guards: tuple[str, ...]) -> bool:
    """Whether an import that fails under some guards is caught."""
    return any(guard.startswith("try ") and _CATCHES.search(guard[4:]) for guard in guards)


def unguarded(project: Project, path: str) -> list[Import]:
    """Imports of optional packages that fail when a file is imported without them."""
    key = ("unguarded", path)
    if key not in project.memo:
        project.memo[key] = [
            item
            for item in at_import(project, path)
            if not may_fail(item.guards)
            and need(project, dotted(item)) == OPTIONAL
            and not is_refused_above(project, path, dotted(item))
            and not _skipped_before(project, path, item)
        ]
    return project.memo[key]


def refuses(project: Project, path: str) -> list[str]:
    """Optional packages without which a file refuses to be imported, by an error of its own."""
    key = ("refuses", path)
    if key not in project.memo:
        project.memo[key] = [
            dotted(item)
            for item in at_import(project, path)
            if catches(item.guards) and need(project, dotted(item)) == OPTIONAL and _raises_after(project, path, item)
        ]
    return project.memo[key]


def asks(project: Project, path: str, name: str) -> bool:
    """Whether a file knows if a package is there: it probes for it, or has a flag of its own or of another module."""
    key = ("asks", path, name)
    if key not in project.memo:
        project.memo[key] = _asks(project, path, name)
    return project.memo[key]


def is_refused_above(project: Project, path: str, name: str) -> bool:
    """Whether a package that a file lies in refuses to be imported without what brings a name."""
    wanted = distribution(name)
    return any(
        distribution(other) == wanted
        for above in ancestors(path)
        if above in project.tree
        for other in refuses(project, above)
    )


def ancestors(path: str) -> Iterator[str]:
    """The ``__init__.py`` of each package that a file lies in, innermost first; its own is not among them."""
    folder = path.rpartition("/")[0]
    if path.endswith("/__init__.py"):
        folder = folder.rpartition("/")[0]
    while folder:
        yield f"{folder}/__init__.py"
        folder = folder.rpartition("/")[0]


def _within(scope: str, functions: set[str]) -> bool:
    parts = scope.split(".")
    return any(".".join(parts[:cut]) in functions for cut in range(1, len(parts) + 1))


def _shields(guard: str) -> bool:
    kind, _, test = guard.partition(" ")
    if kind in ("if", "else"):
        return not _TYPE_CHECKING.fullmatch(test.removeprefix("not ").strip(" ()")) and test != "True"
    return kind in ("except", "case", "with") or (kind == "try" and _CATCHES.search(test) is not None)


def _skipped_before(project: Project, path: str, item: Import) -> bool:
    wanted = distribution(dotted(item))
    return any(
        probe.name == "importorskip"
        and not probe.scope
        and probe.line < item.line
        and distribution(probe.argument) == wanted
        for probe in project.module(path).probes
        if probe.argument
    )


def _raises_after(project: Project, path: str, item: Import) -> bool:
    """Whether the handler of the import's own try raises, read from the lines below it."""
    inside = False
    column = 0
    for line in lines(project, path)[item.end_line :]:
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if not text or text[0] == "#":
            continue
        if inside:
            if indent <= column:
                return False
            if re.match(r"raise\b", text):
                return True
        elif indent < item.column - 1:
            if not text.startswith("except"):
                return False
            inside, column = True, indent
    return False


def _asks(project: Project, path: str, name: str) -> bool:
    module = project.module(path)
    wanted = distribution(name)
    if any(probe.argument and distribution(probe.argument) == wanted for probe in module.probes):
        return True
    if any(
        distribution(dotted(item)) == wanted and may_fail(item.guards)
        for item in at_import(project, path)
        if not item.level
    ):
        return True
    top = name.partition(".")[0].strip("_").lower()
    names = {item.name for item in module.assigns} | {item.name for item in module.functions}
    flags = {item.bound for item in module.imports} | names
    return any(_is_flag_of(project, path, flag, top, wanted) for flag in flags if _FLAG.fullmatch(flag))


def _is_flag_of(project: Project, path: str, flag: str, top: str, wanted: str) -> bool:
    if flag.strip("_").lower() in (f"has_{top}", f"have_{top}", f"{top}_available", f"is_{top}_available"):
        return True
    found = lookup(project, path, flag)
    if found is None or not isinstance(found.record, Assign):
        return False
    return any(distribution(text) == wanted for text in re.findall(r"[\"']([\w.]+)[\"']", found.record.value))
