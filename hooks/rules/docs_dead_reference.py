"""An entry of a reference page, or a reference to a name, that leads to nothing.

What it protects: the reader. The documentation builds all the same: a dead entry becomes an empty row, a dead reference plain
text. An entry dies when its name moves, or is dead from the start under the wrong ``currentmodule``.

Bad: ``ACTModel`` under ``.. currentmodule:: torchrl.modules``, while only ``torchrl.modules.models`` exports it.

Good:

    .. currentmodule:: torchrl.modules.models

    .. autosummary::
        :toctree: generated/

        ACTModel

How to fix: name a path that can be imported, or export the name where the page says it is. An entry is an error; a reference
such as ``:class:`` is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project import Project
from ..project.documented import entries, page, pages
from ..project.dotted import resolve
from ..project.nearest import nearest
from ..project.surface import lacking
from ._references import replace

SUMMARY = "An entry of a reference page, or a reference in a page or docstring, that leads to nothing"
SEVERITY = "error"
SECTION = "1"
NEEDS = ("docs",)
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in _judged(change):
        yield from _dead_entries(project, path)
        yield from _dead_roles(project, path)


def repair(module, finding):
    return replace(module, finding)


def _judged(change: Change) -> list[str]:
    """Pages that may have become wrong: those that changed, and all where a name of the package went."""
    found = [path for path in change.judged if path.startswith(change.project.profile["docs"] + "/")]
    if change.before is not None and not change.everything and lacking(change.before, change.project):
        return pages(change.project)
    return [path for path in pages(change.project) if path in set(found)] if found else []


def _dead_entries(project: Project, path: str) -> Iterator[Finding]:
    for entry in entries(project, path):
        if entry.found is not None:
            continue
        live = nearest(project, entry.name)
        known = f"; {' and '.join(live)} would be found" if live else ""
        yield Finding(
            path,
            entry.line,
            entry.name,
            f"{entry.name} cannot be imported, so its page and its row stay empty{known}",
            _advice(live),
            text=entry.written,
            fix=("entry", entry.number, entry.written, live[0]) if len(live) == 1 and entry.block else None,
        )


def _advice(live: list[str]) -> str:
    if not live:
        return "Correct the name, or delete the entry."
    paths = " or ".join(live)
    return f"Write {paths} (under that currentmodule), or export the name where the page says it is."


def _dead_roles(project: Project, path: str) -> Iterator[Finding]:
    facts = page(project, path)
    for role in facts.roles if facts else ():
        if role.target.split(".")[0] != project.profile["package"] or resolve(project, role.target) is not None:
            continue
        live = nearest(project, role.target)
        yield Finding(
            path,
            role.line,
            role.target,
            f":{role.role}:`{role.target}` leads to nothing" + (f"; {' and '.join(live)} would" if live else ""),
            f"Write {' or '.join(live)}." if live else "Correct the name, or say it as plain text.",
            text=f"{role.role} {role.target}",
            severity="warning",
            fix=("role", role.target, live[0]) if len(live) == 1 else None,
        )
