"""Which pins the profile says belong together, and which stand apart on purpose."""

from __future__ import annotations

from . import Project
from .globs import matches
from .optional import normal
from .pins import Pin


def belongs(project: Project, path: str) -> bool:
    """Whether a file is one of the group that asks for the same versions."""
    return any(matches(glob, path) for glob in project.profile["pins"]["together"])


def is_apart(project: Project, pin: Pin) -> bool:
    """Whether the profile lets a pin differ: ``PACKAGE`` everywhere, or ``PACKAGE: GLOB`` in some files."""
    for entry in project.profile["pins"]["apart"]:
        package, _, glob = (part.strip() for part in entry.partition(":"))
        if normal(package) == pin.package and (not glob or matches(glob, pin.path)):
            return True
    return False
