"""Which torch release first has a name or a keyword, and the oldest torch that the target supports."""

from __future__ import annotations

import re
from functools import lru_cache

from ..tables import rows
from . import Project
from .pyproject import pyproject

Version = tuple[int, ...]


def newer(project: Project, dotted: str) -> str:
    """The torch release that first has a dotted name, where the oldest one supported lacks it; else ""."""
    parts = dotted.split(".")
    known = _first()
    for cut in range(2, len(parts) + 1):
        found = known.get(".".join(parts[:cut]))
        if found:
            return found if numbers(found) > floor(project) else ""
    return ""


def newer_keyword(project: Project, function: str, keyword: str) -> str:
    """The torch release in which a function first takes a keyword, where the oldest one supported lacks it; else ""."""
    found = _first().get(f"{function}().{keyword}", "")
    return found if found and numbers(found) > floor(project) else ""


def floor(project: Project) -> Version:
    """The oldest torch that the target is tested with; by its metadata where no script says so."""
    if "torch floor" not in project.memo:
        project.memo["torch floor"] = _tested(project) or _required(project) or (2, 1)
    return project.memo["torch floor"]


def shown(version: Version) -> str:
    """``2.1.1``."""
    return ".".join(map(str, version))


def numbers(text: str) -> Version:
    """The numbers of a version, what follows them left out; empty where there are none."""
    found = re.match(r"\s*v?(\d{1,9}(?:\.\d{1,9})*)(?!\d)", text)
    return tuple(int(part) for part in found[1].split(".")) if found else ()


def last_names() -> frozenset[str]:
    """Last words of all names and keywords of the table: lines without any of them need no reading."""
    return _last_names()


def _tested(project: Project) -> Version:
    found = [
        numbers(version)
        for path in project.tree.paths(project.profile["suites"]["olddeps"]["folder"], ".sh")
        for version in re.findall(r"(?m)^[^#\n]*\bpip3? install[^#\n]*?\btorch==(\d[\d.]*)", project.text(path) or "")
    ]
    return min(found, default=())


def _required(project: Project) -> Version:
    table = pyproject(project).get("project", {})
    listed = table.get("dependencies", ()) if isinstance(table, dict) else ()
    for text in listed if isinstance(listed, list) else ():
        if isinstance(text, str) and (found := re.match(r"torch\s*>=\s*(\d[\d.]*)", text)):
            return numbers(found[1])
    return ()


@lru_cache(maxsize=1)
def _first() -> dict[str, str]:
    found: dict[str, str] = {}
    version = ""
    for owner, *names in rows("torch_symbols"):
        if owner[0] == "[":
            version = owner[1:-1]
        for name in names:
            found[f"{owner}.{name}"] = version
    return found


@lru_cache(maxsize=1)
def _last_names() -> frozenset[str]:
    return frozenset(name.rpartition(".")[2] for name in _first())
