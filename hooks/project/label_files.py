"""Where the labels of a repository are defined: a list in YAML, and a script that creates some of them."""

from __future__ import annotations

import posixpath
import re
from typing import Any, NamedTuple

from . import Project
from .ci import ci_folder

_CREATES = re.compile(r"\bgh\s+label\s+create\s+(?:\"([^\"]+)\"|'([^']+)'|([^\s\"'$]+))")


class Defined(NamedTuple):
    """A label where it is defined."""

    name: str
    path: str
    line: int
    description: str


def listed(project: Project) -> dict[str, Defined]:
    """Labels of ``labels.yml``; empty where there is none or it cannot be read."""
    if "listed labels" not in project.memo:
        project.memo["listed labels"] = {item.name: item for item in _listed(project)}
    return project.memo["listed labels"]


def created(project: Project) -> dict[str, Defined]:
    """Labels that a script of the CI folder creates."""
    if "created labels" not in project.memo:
        found: dict[str, Defined] = {}
        for path in project.tree.paths(ci_folder(project), ".sh"):
            for number, line in enumerate((project.text(path) or "").splitlines(), 1):
                if "gh label create" in line and line.lstrip()[:1] != "#":
                    for match in _CREATES.finditer(line):
                        name = match[1] or match[2] or match[3]
                        found.setdefault(name, Defined(name, path, number, ""))
        project.memo["created labels"] = found
    return project.memo["created labels"]


def _listed(project: Project) -> list[Defined]:
    path = posixpath.join(ci_folder(project), "labels.yml")
    data = project.tree.read(path)
    if data is None:
        return []
    import yaml

    try:
        root: Any = yaml.compose(data, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        project.note(
            f"{path}:{mark.line + 1 if mark else 1}: not read as a list of labels: {getattr(error, 'problem', None) or error}"
        )
        return []
    found = []
    for entry in root.value if root is not None and root.id == "sequence" else ():
        if entry.id == "mapping":
            fields = {key.value: value for key, value in entry.value if key.id == "scalar" and value.id == "scalar"}
            if "name" in fields:
                told = fields["description"].value if "description" in fields else ""
                found.append(Defined(fields["name"].value, path, fields["name"].start_mark.line + 1, told))
    return found
