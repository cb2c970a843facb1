"""An import of an optional package that makes ``import torchrl`` fail without the package.

What it protects: users who installed the required packages alone, and the tests of everything else: one test
module that cannot be imported takes all of its tests with it. What is required and what is optional is read
from pyproject.toml; a test may also import what the environment of the suite without optional packages brings.

An import counts as guarded under an ``if`` (any flag), in a ``try`` that catches ImportError, for type checkers
only, after ``pytest.importorskip``, and where a parent package refuses to be imported without the package. A
module of a private name that others import lazily or on a condition is left alone.

Reported, too: ``find_spec`` of a dotted name, which raises where the parent is missing, and of a distribution's
name, which never finds anything.

Bad:

    import dm_env                                             # comes with dm_control alone
    _has_gpu_kernels = find_spec("triton.language.extra")     # raises without triton

Good:

    _has_dm_env = importlib.util.find_spec("dm_env") is not None
    if _has_dm_env:
        import dm_env

How to fix: add the flag and import under it, or import in the functions that need the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..change import Change
from ..facts.records import Import, Probe
from ..finding import Finding
from ..project import Project
from ..project.guards import catches, unguarded
from ..project.optional import INTERNAL, OPTIONAL, distribution, dotted, extras, imported, in_suite, need, newer_python
from ..project.reach import name_of, reached
from ..project.suites import collects
from ..project.torch_symbols import newer

SUMMARY = "An optional package is imported without a guard"
SEVERITY = "error"
SECTION = "2"
CONCERNS = ("package", "tests")
REPEATABLE = True
NEEDS = ("package",)


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["package"], ".py"):
        if project.module(path) is not None:
            yield from _imports(project, path)
            yield from _probes(project, path)
    # Without the suite nothing is known of what is there when tests are collected.
    known = project.tree.paths(project.profile["suites"]["optdeps"]["folder"])
    for path in change.judged_under(project.profile["tests"], ".py") if known else ():
        if project.module(path) is not None:
            yield from _test_imports(project, path)


def _imports(project: Project, path: str) -> Iterator[Finding]:
    for item in _statements(unguarded(project, path)):
        how = reached(project, path)
        if not how.kind:
            continue
        name, top = dotted(item), item.module.partition(".")[0]
        severity = "warning" if how.kind == "lazy" else ""
        where = "" if how.through == name_of(path) else f" (through {name_of(path)})"
        then = (
            f"import {how.through} fails without it{where}"
            if how.kind == "public"
            else f"{how.through} imports the module on demand"
        )
        yield _finding(path, item, f"{_what(project, name)}, and {then}", _hint(project, top, name), severity)


def _test_imports(project: Project, path: str) -> Iterator[Finding]:
    found = [
        item
        for item in _statements(unguarded(project, path))
        if not in_suite(project, dotted(item), "optdeps") and not _of_the_tests(project, path, item)
    ]
    if not found or not collects(project, path, "optdeps"):
        return
    for item in found:
        name = dotted(item)
        yield _finding(
            path,
            item,
            f"{_what(project, name)}, and {project.profile['suites']['optdeps']['job']} collects the file without it",
            f"Use pytest.importorskip({item.module.partition('.')[0]!r}), or import it under a flag and skip the tests that need it.",
        )


def _probes(project: Project, path: str) -> Iterator[Finding]:
    for probe in project.module(path).probes:
        if probe.name != "find_spec" or not probe.argument or catches(probe.guards):
            continue
        name = probe.argument
        parent = name.rpartition(".")[0]
        if parent and not _is_there(project, probe, parent):
            yield Finding(
                path,
                probe.line,
                name,
                f"find_spec({name!r}) imports {parent} first and raises ModuleNotFoundError where that is missing",
                f"Ask for {name.partition('.')[0]!r} first: find_spec({name.partition('.')[0]!r}) is not None and ..., or catch the error.",
                text=f"find_spec {name}",
                column=probe.column,
                end_line=probe.end_line,
            )
        elif not parent and (right := imported(name)):
            yield Finding(
                path,
                probe.line,
                name,
                f"{name} is the name of a distribution and is imported as {right}: find_spec({name!r}) finds nothing",
                f"Ask for {right!r}.",
                text=f"find_spec {name}",
                severity="warning",
                column=probe.column,
                end_line=probe.end_line,
            )


def _statements(items: list[Import]) -> Iterator[Import]:
    """One import for each statement."""
    seen = set()
    for item in items:
        if (item.line, item.column) not in seen:
            seen.add((item.line, item.column))
            yield item


def _is_there(project: Project, probe: Probe, parent: str) -> bool:
    """Whether the package that a probe imports first is always there, or asked for before."""
    top = parent.partition(".")[0]
    if need(project, top) != OPTIONAL:
        return need(project, parent) != OPTIONAL and not (top == "torch" and newer(project, parent))
    # A scope's own earlier lines may have settled it, which is not followed.
    return bool(probe.scope) or any(re.search(rf"{re.escape(top)}\b", guard) for guard in probe.guards)


def _of_the_tests(project: Project, path: str, item: Import) -> bool:
    """Whether a test imports its own helpers: another file of the tests, or of the repository."""
    from ..project.names import module_path

    return (
        item.level > 0
        or need(project, dotted(item)) == INTERNAL
        or module_path(project, item.module, 0, path) is not None
        or (f"{item.module.partition('.')[0]}/__init__.py" in project.tree)
    )


def _what(project: Project, name: str) -> str:
    newer_than = newer_python(project, name)
    if newer_than:
        return f"{name} is new in Python {newer_than}, and older ones are supported"
    brought = extras(project, name)
    top = name.partition(".")[0]
    brings = distribution(name)
    other = f" (of {brings})" if brings not in (top, top.replace("_", "-")) else ""
    return f"{top}{other} is optional: " + (
        f"it comes with the extra {', '.join(brought)}" if brought else "no requirement brings it"
    )


def _hint(project: Project, top: str, name: str) -> str:
    if newer_python(project, name):
        return "Import it under sys.version_info, with a fallback."
    flag = f"_has_{top}"
    return f"Add {flag} = importlib.util.find_spec({top!r}) is not None and import it under if {flag}, or in the functions that need it."


def _finding(path: str, item: Import, message: str, hint: str, severity: str = "") -> Finding:
    return Finding(
        path,
        item.line,
        dotted(item),
        message,
        hint,
        text=dotted(item),
        severity=severity,
        column=item.column,
        end_line=item.end_line,
        verify=f'python -c "import {name_of(path)}"'
        if "/test" not in path and not path.startswith("test")
        else f"pytest --collect-only -q {path}",
    )
