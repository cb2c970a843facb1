"""What a change does to the imports of optional packages, and to the marks that skip tests without them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..facts.records import Import
from . import Project
from .cycles import is_internal, target
from .guards import at_import, is_refused_above, may_fail
from .names import module_path
from .needs import needs
from .optional import OPTIONAL, SETUP, dotted, in_suite, need
from .suites import collects, is_about_language_models
from .tests import collected, is_test_file

if TYPE_CHECKING:
    from ..change import Change

Fact = tuple[str, str]
"""What is done, and to what: ("a guarded import of", "ray")."""


def changes(change: Change) -> Iterator[tuple[str, int | None, str]]:
    """(path, line, reason) for each file of package and tests whose use of optional packages changes."""
    project, before = change.project, change.before
    folders = (project.profile["package"] + "/", project.profile["tests"] + "/")
    old_names = change.renames
    gone = set(change.changed) - set(project.tree.blobs) - set(old_names.values())
    # Where Python files alone changed and none came or went, the same imports ask for the same as before.
    alike = all(path.endswith(".py") and path in project.tree and path in before.tree for path in change.changed)
    alike = alike and SETUP not in change.changed
    for path in sorted(change.changed):
        if not path.endswith(".py") or not path.startswith(folders):
            continue
        old_path = old_names.get(path, path)
        unchanged = alike and _asked(before, path) == _asked(project, path)
        old = _facts(before, old_path) if old_path in before.tree and not unchanged else {}
        new = _facts(project, path) if path in project.tree and not unchanged else {}
        if path not in project.tree and path not in gone:
            continue
        if not _is_covered(change, path):
            continue
        told = _difference(old, new)
        if old_path != path and new and not told:
            told = [(next(iter(new.values()))[0], f"the file moves, and has {' '.join(next(iter(new)))}")]
        if told:
            yield path, told[0][0] if path in project.tree else None, ", ".join(text for _, text in told)
        elif path.endswith("/__init__.py") and path in project.tree:
            yield from _exports(change, path, old_path)


def lost_skips(change: Change) -> Iterator[tuple[str, int | None, str]]:
    """Tests that no longer skip themselves without a package, wherever in the change they stand now."""
    project, before = change.project, change.before
    tests = project.profile["tests"]
    paths = [path for path in sorted(change.changed) if is_test_file(path, tests)]
    old = {}
    for path in paths:
        for test in collected(before, path) if path in before.tree else ():
            if packages := needs(before, test).packages:
                old[test.symbol] = packages
    for path in paths if old else ():
        for test in collected(project, path) if path in project.tree else ():
            lost = old.get(test.symbol, frozenset()) - needs(project, test).packages
            lost = {name for name in lost if need(project, name) == OPTIONAL and not in_suite(project, name, "optdeps")}
            if lost and collects(project, path, "optdeps"):
                yield path, test.line, f"{test.symbol} is no longer skipped without {', '.join(sorted(lost))}"


def _is_covered(change: Change, path: str) -> bool:
    if path.startswith(change.project.profile["package"] + "/"):
        return True
    side = change.project if path in change.project.tree else change.before
    return collects(side, path, "optdeps")


def _difference(old: dict[Fact, tuple[int, int]], new: dict[Fact, tuple[int, int]]) -> list[tuple[int, str]]:
    """(line, what) of what is only in one of two files, or more often in one of them."""
    counts, before = (
        Counter({fact: count for fact, (_, count) in new.items()}),
        Counter({fact: count for fact, (_, count) in old.items()}),
    )
    found = [(new[fact][0], f"adds {' '.join(fact)}") for fact in counts - before]
    found += [(1, f"removes {' '.join(fact)}") for fact in before - counts]
    return sorted(found, key=lambda item: (item[1][0], item[0]))


def _asked(project: Project, path: str) -> list[tuple]:
    """The imports and probes of a file, wherever they stand in it."""
    module = project.module(path)
    records = (*module.imports, *module.probes) if module is not None else ()
    return sorted(tuple(record._replace(line=0, column=0, end_line=0)) for record in records)


def _facts(project: Project, path: str) -> dict[Fact, tuple[int, int]]:
    """Fact -> (first line, how often)."""
    module = project.module(path)
    found: dict[Fact, tuple[int, int]] = {}
    if module is None:
        return found
    package = path.startswith(project.profile["package"] + "/")
    top = {id(item) for item in at_import(project, path)}

    def add(fact: str, name: str, line: int) -> None:
        first, count = found.get((fact, name), (line, 0))
        found[fact, name] = first, count + 1

    for item in module.imports:
        if not _is_optional(project, path, item):
            continue
        if id(item) in top:
            # The kind of guard is part of it: an import that leaves its guard has changed.
            add(
                "a guarded import of" if may_fail(item.guards) else "an import of",
                item.module.partition(".")[0],
                item.line,
            )
        elif package and not item.guards[:1] == ("if TYPE_CHECKING",) and not is_about_language_models(path):
            add("an import in a function of", item.module.partition(".")[0], item.line)
    for probe in module.probes:
        if probe.argument and need(project, probe.argument) == OPTIONAL and (package or not probe.scope):
            add(f"{probe.name} of", probe.argument, probe.line)
    return found


def _is_optional(project: Project, path: str, item: Import) -> bool:
    if item.level or need(project, dotted(item)) != OPTIONAL:
        return False
    if path.startswith(project.profile["package"] + "/"):
        return True
    # A test's own helpers, and what its suite brings.
    return module_path(project, item.module, 0, path) is None and not in_suite(project, dotted(item), "optdeps")


def _exports(change: Change, path: str, old_path: str) -> Iterator[tuple[str, int | None, str]]:
    """A package's new import of a module that imports something optional when it is imported."""
    project, before = change.project, change.before
    known = {dotted(item) for item in at_import(before, old_path)} if old_path in before.tree else set()
    for item in at_import(project, path):
        if is_internal(project, item) and dotted(item) not in known and (wanted := target(project, path, item)):
            for inner in at_import(project, wanted):
                if wanted == path or inner.level or is_refused_above(project, wanted, dotted(inner)):
                    continue
                if need(project, dotted(inner)) == OPTIONAL:
                    yield (
                        path,
                        item.line,
                        f"exports {item.name or item.module} of {wanted}, which imports {dotted(inner)}",
                    )
                    return
