"""Entries and references that lead to nothing, or to what no page documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ..change import Change
from ..facts.records import Class, Function
from ..facts.rst import Role
from ..finding import Finding
from ..project import Project
from ..project.documented import documented, entries, listed, page, pages
from ..project.dotted import Member, resolve
from ..project.gone import gone
from ..project.names import Definition, module_path
from ..project.nearest import nearest

_ROLE = re.compile(rb":[\w:]+:`[^`]+`")


def findings(change: Change) -> Iterator[Finding]:
    """What is dead, in the files that may have become wrong."""
    project = change.project
    docs, package = project.profile["docs"], project.profile["package"]
    for path, names in _judged(change, docs, ".rst", pages(project)):
        yield from _dead_entries(project, path, names)
        if not (change.everything or names):
            yield from _listed_twice(project, path)
        facts = page(project, path)
        yield from _dead_roles(change, path, facts.roles if facts else (), names)
    for path, names in _judged(change, package, ".py", project.tree.paths(package, ".py")):
        facts = project.docstrings(path) if names or _has_new_roles(change, path) else None
        yield from _dead_roles(change, path, facts.roles if facts else (), names)


def _judged(change: Change, folder: str, suffix: str, among: list[str]) -> Iterator[tuple[str, set[str]]]:
    """Files that may have become wrong: those that changed and, with the names that went, those that speak of one."""
    changed = set(change.judged_under(folder, suffix))
    names = set() if change.everything else gone(change)
    spoken = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b".encode()) if names else None
    for path in among if changed or names else ():
        if path in changed:
            yield path, set()
        elif spoken and spoken.search(change.project.tree.read(path) or b""):
            yield path, names


def _has_new_roles(change: Change, path: str) -> bool:
    """Whether a file has references that its older self has not; most changes of code have none."""
    if change.before is None or change.everything:
        return True
    old = Counter(_ROLE.findall(change.before.tree.read(change.renames.get(path, path)) or b""))
    return bool(Counter(_ROLE.findall(change.project.tree.read(path) or b"")) - old)


def _dead_entries(project: Project, path: str, names: set[str]) -> Iterator[Finding]:
    seen = set()
    for entry in entries(project, path):
        if names and not names & set(entry.name.split(".")):
            continue
        if entry.found is not None or (entry.name, entry.line) in seen:
            continue
        seen.add((entry.name, entry.line))
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


def _listed_twice(project: Project, path: str) -> Iterator[Finding]:
    """Entries of one thing beside another: two pages, of which references reach one."""
    for entry in entries(project, path):
        meant = entry.found
        if not isinstance(meant, Definition) or not isinstance(meant.record, (Class, Function)):
            continue
        others = [item for item in documented(project)[meant.path, meant.name] if item[:2] != entry[:2]]
        if others:
            yield Finding(
                path,
                entry.line,
                entry.name,
                f"{entry.name} is documented as {others[0].name} in {others[0].path}:{others[0].line}, too",
                "Keep one of the entries, and refer to it with a role.",
                text=f"{entry.written} twice",
                severity="advisory",
            )


def _advice(live: list[str]) -> str:
    if not live:
        return "Correct the name, or delete the entry."
    paths = " or ".join(live)
    return f"Write {paths} (under that currentmodule), or export the name where the page says it is."


def _dead_roles(change: Change, path: str, roles: tuple[Role, ...], names: set[str]) -> Iterator[Finding]:
    project = change.project
    for role in roles:
        parts = role.target.split(".")
        if parts[0] != project.profile["package"] or (names and not names & set(parts)):
            continue
        if resolve(project, role.target) is None:
            live = nearest(project, role.target)
            would = f"; {' and '.join(live)} would" if live else ""
            yield _of_role(path, role, f"leads to nothing{would}", live, "warning")
        elif not (change.everything or names):
            # Old references of this kind are many, and nothing is wrong with what they name.
            yield from _unlinked(project, path, role)


def _unlinked(project: Project, path: str, role: Role) -> Iterator[Finding]:
    """A reference by a path that no page documents, which stays plain text although there is such a thing."""
    if any(part.startswith("_") for part in role.target.split(".")):
        return
    owner = role.target.rpartition(".")[0]
    if {role.target, owner} & listed(project):
        return
    found = resolve(project, role.target)
    member = isinstance(found, Member)
    meant = resolve(project, owner) if member else found
    if not isinstance(meant, Definition) or not isinstance(meant.record, (Class, Function)):
        return
    home = meant.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    # autodoc knows a thing by the module that defines it, too; Configs are named by their package as a house rule.
    if (owner if member else role.target) == f"{home}.{meant.name}" or meant.path.startswith(
        project.profile["configs"] + "/"
    ):
        return
    # So it does by the module that a package writes into __module__, whichever that is.
    module = module_path(project, (owner if member else role.target).rpartition(".")[0], 0, "")
    if module is not None and "__module__" in (project.text(module) or ""):
        return
    tail = f".{found.name}" if member else ""
    paths = list(dict.fromkeys(entry.name + tail for entry in documented(project).get((meant.path, meant.name), [])))
    if role.target in paths:
        return
    told = f"is documented as {' and '.join(paths)}" if paths else "is on no page"
    yield _of_role(path, role, f"stays plain text: what it names {told}", paths, "warning" if paths else "advisory")


def _of_role(path: str, role: Role, what: str, live: list[str], severity: str) -> Finding:
    return Finding(
        path,
        role.line,
        role.target,
        f":{role.role}:`{role.target}` {what}",
        f"Write {' or '.join(live)}." if live else "Correct the name, or say it as plain text.",
        # What was only unlinked may be dead now.
        text=f"{role.role} {role.target} {what.split()[0]}",
        severity=severity,
        fix=("role", role.target, live[0]) if len(live) == 1 else None,
    )
