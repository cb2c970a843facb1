"""Packages beside the target: read from this Python's site-packages, never imported."""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path

from ..tree import Tree, blob_id
from . import Project


class _Folder(Tree):
    """Files of one package, looked up one by one: a walk through torch would cost more than the run."""

    def __init__(self, package: str, root: Path) -> None:
        super().__init__(package, {}, None, root)
        self._known: dict[str, str | None] = {}

    def __contains__(self, path: str) -> bool:
        return path.startswith(self.label + "/") and (path in self._known or os.path.isfile(self.folder / path))

    def blob(self, path: str) -> str | None:
        if path not in self._known:
            data = self.read(path)
            self._known[path] = None if data is None else blob_id(data)
        return self._known[path]

    def read(self, path: str) -> bytes | None:
        try:
            return (self.folder / path).read_bytes() if path in self else None
        except OSError:
            return None


def package(project: Project, name: str) -> Project | None:
    """An installed package as a project of its own, or None where it is not installed or is the target itself."""
    key = ("installed", name)
    if key not in project.memo:
        project.memo[key] = _find(project, name)
    return project.memo[key]


def present() -> list[tuple[str, int]]:
    """What is installed in this Python: each distribution's metadata folder and when it was written."""
    found = []
    for folder in sys.path:
        try:
            entries = list(os.scandir(folder or "."))
        except OSError:
            continue
        found += [
            (entry.path, entry.stat().st_mtime_ns)
            for entry in entries
            if entry.name.endswith((".dist-info", ".egg-info", ".egg-link", ".pth"))
        ]
    return sorted(found)


def version(other: Project) -> str:
    """Name and version of an installed package, as the folder of its metadata says."""
    name = other.tree.label
    for found in sorted(other.tree.folder.glob(f"{name}-*.dist-info")):
        return found.name.removesuffix(".dist-info").replace("-", " ", 1)
    return name


def _find(project: Project, name: str) -> Project | None:
    if not name.isidentifier() or f"{name}/__init__.py" in project.tree:
        return None
    spec = PathFinder.find_spec(name)
    if spec is None or not spec.origin or not spec.origin.endswith("__init__.py"):
        return None
    return Project(_Folder(name, Path(spec.origin).parent.parent), project.profile, project.store)
