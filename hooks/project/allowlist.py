"""Lists of names that the target's own tests and linters let pass, and which Configs no longer need theirs."""

from __future__ import annotations

import ast

from . import Project
from .configs import Config, classes, configs
from .signatures import signature
from .worlds import parse


def allowed(project: Project) -> list[str]:
    """Names on the list of Configs, in its order; empty where the target has no such list."""
    return listed(project, *project.profile["configs-allowlist"])


def listed(project: Project, path: str, name: str) -> list[str]:
    """Entries of a list: the strings of a Python file's assignment, or the lines of a key of an INI file.

    Args:
        name: of the assignment or key.
    """
    if path.endswith((".cfg", ".ini")):
        return _of_ini(project.text(path) or "", name)
    module = project.module(path) if path.endswith(".py") else None
    for item in module.assigns if module else ():
        if item.name == name and not item.scope and (node := parse(item.value)) is not None:
            return [
                inner.value
                for inner in ast.walk(node)
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
            ]
    return []


def _of_ini(text: str, name: str) -> list[str]:
    from configparser import Error, RawConfigParser

    parser = RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except Error:
        return []
    values = [parser[section][name] for section in parser.sections() if name in parser[section]]
    return [line.strip() for value in values for line in value.splitlines() if line.strip()]


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
