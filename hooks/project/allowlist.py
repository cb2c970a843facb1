"""The list of Configs that the target's own parity test lets pass, and which of them no longer need it."""

from __future__ import annotations

import ast

from . import Project
from .configs import Config, classes, configs
from .signatures import signature
from .worlds import parse


def allowed(project: Project) -> list[str]:
    """Names on the list, in its order; empty where the target has no such list."""
    path, name = project.profile["configs-allowlist"]
    module = project.module(path)
    for item in module.assigns if module else ():
        if item.name == name and not item.scope and (node := parse(item.value)) is not None:
            return [
                inner.value
                for inner in ast.walk(node)
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
            ]
    return []


def gap(project: Project, config: Config) -> list[str] | None:
    """What that test misses in a Config: named parameters of the class's ``__init__`` as it is written, without a field.

    Returns:
        The parameters; None where no class is known.
    """
    built = classes(project, config)
    if not built:
        return None
    _, parameters = signature(*built[0]).first
    named = [item for item in parameters if config.partial is False or item is not parameters[0]]
    return [item.name for item in named if item.kind not in ("*", "**") and config.field(item.name) is None]


def needless(project: Project) -> list[tuple[str, str]]:
    """(name, why) for each entry of the list that is no longer needed."""
    known = {config.name: config for config in configs(project)}
    found = []
    for name in allowed(project):
        if name not in known:
            found.append((name, "there is no such Config"))
        elif gap(project, known[name]) == []:
            found.append((name, "every parameter has a field"))
    return found
