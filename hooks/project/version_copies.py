"""Where the version of the tree is written again, beside its version file."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..profile import CONFIG
from . import Project
from .bodies import lines
from .optional import normal
from .pyproject import pyproject
from .torch_symbols import Version, numbers

_PLACES = {"{version}": r"v?(?P<version>\d+(?:\.\w+)*)", "{minor}": r"v?(?P<version>\d+\.\d+)(?!\d)"}
_REMARK = re.compile(r"\s*(#|::|rem\b)", re.IGNORECASE)
_CLAUSE = re.compile(r"(===?|~=|!=|<=?|>=?)\s*(\d[\w.]*)(\.\*)?\Z")
_REQUIREMENT = re.compile(r"\s*([A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;()@]*)\)?\s*(?:;|\Z)")


class Copy(NamedTuple):
    """A version as written in one place.

    Args:
        name: of what holds it, for people.
        parts: how many leading numbers of it must agree.
    """

    path: str
    line: int
    name: str
    version: str
    parts: int


def copies(project: Project) -> list[Copy]:
    """Every copy that the profile names and the tree has; a place that is written otherwise is no copy."""
    found = []
    for entry in project.profile["version-copies"]:
        path, _, text = entry.partition(":")
        place = next((name for name in _PLACES if name in text), "")
        head, _, tail = text.strip().partition(place) if place else ("", "", "")
        if not place or path not in project.tree:
            continue
        pattern = re.compile(re.escape(head) + _PLACES[place] + re.escape(tail))
        name = (re.findall(r"[A-Za-z_]\w*", head) or [path])[-1]
        for number, line in enumerate(lines(project, path), 1):
            match = None if _REMARK.match(line) else pattern.search(line)
            if match:
                found.append(Copy(path, number, name, match["version"], 2 if place == "{minor}" else 3))
    return found


def agrees(copy: Copy, version: str) -> bool:
    """Whether a copy says the same version; 0.14 and 0.14.0 do."""
    return _padded(copy.version, copy.parts) == _padded(version, copy.parts)


def companions(project: Project) -> list[tuple[str, str, int]]:
    """(name, requirement, line) of each package that is released together with this one."""
    table = pyproject(project).get("project", {})
    listed = table.get("dependencies", ()) if isinstance(table, dict) else ()
    wanted = {normal(name) for name in project.profile["companions"]}
    found = []
    for text in listed if isinstance(listed, list) else ():
        match = _REQUIREMENT.match(text) if isinstance(text, str) else None
        if match and normal(match[1]) in wanted:
            line = next((number for number, row in enumerate(lines(project, CONFIG), 1) if text in row), 1)
            found.append((match[1], text, line))
    return found


def admits(requirement: str, version: str) -> bool | None:
    """Whether a requirement takes some release of a version's minor line; None where that cannot be told."""
    match = _REQUIREMENT.match(requirement)
    clauses = [_CLAUSE.match(text.strip()) for text in match[2].split(",") if text.strip()] if match else []
    line = numbers(version)[:2]
    if not line or not clauses or not all(clauses):
        return None
    answers = [_takes(clause[1], numbers(clause[2]), line) for clause in clauses]
    return False if False in answers else None if None in answers else True


def _takes(operator: str, bound: Version, line: Version) -> bool | None:
    """Whether some 0.N.x of a line is on the right side of a bound."""
    if operator in (">=", ">", "~="):
        return line >= bound[:2] if operator != "~=" else line == bound[:2]
    if operator == "<":
        return line < bound[:2] or (line == bound[:2] and any(bound[2:]))
    if operator == "<=":
        return line <= bound[:2]
    return line == bound[:2] if operator in ("==", "===") else None


def _padded(version: str, parts: int) -> Version:
    return (numbers(version) + (0, 0, 0))[:parts]
