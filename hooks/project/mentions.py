"""Names that the tests speak of."""

from __future__ import annotations

import re

from . import Project


def mentioned(project: Project, name: str) -> bool:
    """Whether a test file imports a name, or says it as a word, in a string or a comment, too.

    What no file imports is looked for in the text of all: few names get that far.
    """
    return name in _imported(project) or any(
        re.search(rf"\b{name}\b".encode(), data) for data in _files(project) if name.encode() in data
    )


def _imported(project: Project) -> set[str]:
    key = ("imported by tests",)
    if key not in project.memo:
        modules = map(project.module, project.tree.paths(project.profile["tests"], ".py"))
        project.memo[key] = {item.name for module in modules if module for item in module.imports}
    return project.memo[key]


def _files(project: Project) -> list[bytes]:
    key = ("text of tests",)
    if key not in project.memo:
        contents = map(project.tree.read, project.tree.paths(project.profile["tests"], ".py"))
        project.memo[key] = [data for data in contents if data is not None]
    return project.memo[key]
