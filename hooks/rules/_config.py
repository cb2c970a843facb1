"""Whether a change can touch Configs at all: asked before anything else about them is loaded."""

from __future__ import annotations

from ..change import Change
from ..facts.records import Module
from ..project import Project
from ..project.bodies import source

_SPECIAL = ("__init__", "__call__", "__getattr__")
"""Methods (and a module's function) that decide what a class takes and what a name means."""


def touched(change: Change) -> bool:
    """Whether a change holds a Config, or something that a Config is compared with."""
    if change.everything:
        return True
    key = ("config touched", change.before is None, *change.judged)
    if key not in change.project.memo:
        changed = change.changed if change.before else change.judged
        change.project.memo[key] = any(matters(change, path) for path in sorted(changed))
    return change.project.memo[key]


def matters(change: Change, path: str) -> bool:
    """Whether a changed file is one of Configs, or differs in something that a Config is compared with."""
    if not path.startswith(change.project.profile["package"] + "/") or not path.endswith(".py"):
        return False
    if path.startswith(change.project.profile["configs"] + "/"):
        return True
    if change.before is None:
        return False
    new, old = change.project.module(path), change.before.module(change.renames.get(path, path))
    if new is None or old is None:
        return True
    return _surface(change.project, path, new) != _surface(change.before, change.renames.get(path, path), old)


def _surface(project: Project, path: str, module: Module) -> tuple:
    functions = tuple(
        source(project, path, item)
        for item in module.functions
        if item.name in _SPECIAL
        or any(parameter.name == "kwargs" and parameter.kind == "" for parameter in item.parameters)
    )
    shape = tuple((item.qualname, item.bases, item.keywords, item.configs) for item in module.classes)
    names = tuple((item.name, item.value, item.scope) for item in module.assigns)
    imports = tuple((item.module, item.name, item.bound) for item in module.imports if not item.scope)
    return functions, shape, names, imports
