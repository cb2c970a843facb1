"""Public definitions without an entry, and those that the change took it from."""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..facts.records import Class, Function
from ..finding import Finding
from ..project import Project
from ..project.documented import Entry, documented, entries, pages
from ..project.dotted import resolve
from ..project.names import Definition
from ..project.public import paths_of, unlisted
from ..project.retired import retired
from ._entries import slot
from ._public import Identity, Subject, defined, exported_anew, judged, subject


def findings(change: Change) -> Iterator[Finding]:
    """What no page lists, among what the change may have made so."""
    project = change.project
    lost = _lost(change)
    candidates = _candidates(change, lost)
    if not candidates:
        return
    names = paths_of(project)
    for where in sorted(candidates):
        if where in documented(project):
            continue
        item = subject(project, where) if where in names else _was_documented(project, where, lost)
        if item is not None:
            yield _finding(project, item, lost.get(where), where in names)
    for where, path in unlisted(project).items():
        if where in candidates and where not in names and where not in documented(project):
            yield _hint(project, where, path)


def _was_documented(project: Project, where: Identity, lost: dict[Identity, Entry]) -> Subject | None:
    """A definition that no package exports, by the path that its lost entry promised and that still leads to it."""
    entry = lost.get(where)
    meant = resolve(project, entry.name) if entry is not None and "._" not in entry.name else None
    if not isinstance(meant, Definition) or not isinstance(meant.record, (Class, Function)):
        return None
    return Subject(where[0], meant.record, entry.name)


def _finding(project: Project, item: Subject, lost: Entry | None, exported: bool) -> Finding:
    where, name = (item.path, item.record.qualname), item.name
    home = "/".join([*name.split(".")[:-1], "__init__.py"])
    place = slot(project, where)
    what = f"{name} is public ({home} exports it), and no reference page lists it"
    if lost is not None:
        kind = "is public" if exported else "can be imported"
        what = f"{name} {kind} and has lost its last entry, which was {lost.name} in {lost.path}:{lost.line}"
    if place is not None:
        to = f"Add {place.written} to the autosummary under currentmodule {place.module} in {place.page}:{place.line}."
    else:
        to = f"Add it to an autosummary below {project.profile['docs']}, under currentmodule {name.rpartition('.')[0]}."
    return Finding(
        item.path,
        item.record.line,
        name,
        what,
        to,
        text="lost" if lost is not None else "undocumented",
        severity="advisory" if retired(project, item.path, item.record) else "" if exported else "warning",
        also_touch=(place.page,) if place is not None else (),
        derived_from=tuple(dict.fromkeys([home, *([lost.path] if lost is not None else [])])),
        fix=place.fix if place is not None else None,
        fix_also=(place.page,) if place is not None and place.fix else (),
    )


def _hint(project: Project, where: Identity, path: str) -> Finding:
    home = "/".join([*path.split(".")[:-1], "__init__.py"])
    record = resolve(project, path).record
    return Finding(
        where[0],
        record.line,
        path,
        f"{path} can be imported and is not in __all__ of {home}, and no reference page lists it",
        "List it in __all__ and document it, or import it under a private name.",
        text="unlisted",
        severity="advisory",
        derived_from=(home,),
    )


def _candidates(change: Change, lost: dict[Identity, Entry]) -> set[Identity]:
    """Definitions that may have become undocumented by the change; without a base, all of the judged files."""
    found = set(lost)
    for path in judged(change):
        found |= defined(change, path, False) | exported_anew(change, path)
    return found


def _lost(change: Change) -> dict[Identity, Entry]:
    """Definitions whose entry the change removed from a page, with that entry."""
    before = change.before
    if before is None:
        return {}
    docs = change.project.profile["docs"] + "/"
    touched = [path for path in pages(before) if path in change.changed and path.startswith(docs)]
    if not touched:
        return {}
    still = {entry.name for path in pages(change.project) for entry in entries(change.project, path)}
    found: dict[Identity, Entry] = {}
    for path in touched:
        for entry in entries(before, path):
            if entry.name not in still and isinstance(entry.found, Definition):
                for where in _now(change, entry):
                    found.setdefault(where, entry)
    return found


def _now(change: Change, entry: Entry) -> Iterator[Identity]:
    """What an entry of the base documents, where it is today: by any of its public paths."""
    old = (entry.found.path, entry.found.name)
    for path in dict.fromkeys([entry.name, *paths_of(change.before).get(old, [])]):
        meant = resolve(change.project, path)
        if isinstance(meant, Definition) and meant.path and meant.name:
            yield meant.path, meant.name
