"""``__all__`` names something that the module does not have.

What it protects: ``from package import *``, which raises AttributeError, and everything that reads ``__all__``: the
documentation, type checkers, the public API itself.

Bad:

    from .common import EnvBase

    __all__ = ["EnvBase", "MyEnv"]

Good: import ``MyEnv``, or leave it out.

How to fix: bind the name, or delete it from the list.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project import Project
from ..project.dotted import resolve
from ..project.gone import gone
from ..project.names import bindings
from ..project.public import declared

SUMMARY = "__all__ names something that the module does not have"
SEVERITY = "error"
SECTION = "8"
CONCERNS = ("package",)
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path, names in _judged(change):
        module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for name in dict.fromkeys(declared(project, path) or ()):
            if (not names or name in names) and resolve(project, f"{module}.{name}") is None:
                yield Finding(
                    path,
                    _line(project, path, name),
                    f"{module}.{name}",
                    f"__all__ lists {name}, and {module} has no such name: from {module} import * raises AttributeError",
                    f"Import or define {name}, or delete it from __all__.",
                    text=name,
                )


def _judged(change: Change) -> Iterator[tuple[str, set[str]]]:
    """Judged files and, with the names that went, all others that may list one."""
    package = change.project.profile["package"]
    changed = set(change.judged_under(package, ".py"))
    names = set() if change.everything else gone(change)
    for path in change.project.tree.paths(package, ".py") if names else sorted(changed):
        if ("", "__all__") in (bindings(change.project, path) or {}):
            yield path, set() if path in changed else names


def _line(project: Project, path: str, name: str) -> int:
    """The line of the list that has the name."""
    lists = bindings(project, path)["", "__all__"]
    lines = (project.text(path) or "").splitlines()
    for item in lists:
        for number in range(item.line, item.end_line + 1):
            if f'"{name}"' in lines[number - 1] or f"'{name}'" in lines[number - 1]:
                return number
    return lists[-1].line
