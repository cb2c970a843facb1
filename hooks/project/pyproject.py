"""The target's pyproject.toml as tables."""

from __future__ import annotations

from typing import Any

from ..profile import CONFIG
from . import Project


def pyproject(project: Project) -> dict[str, Any]:
    """All of it; empty where there is none or it is no TOML."""
    if "pyproject" not in project.memo:
        project.memo["pyproject"] = parse(project.text(CONFIG) or "")
    return project.memo["pyproject"]


def parse(text: str) -> dict[str, Any]:
    """Tables of a TOML text, empty where it is none."""
    try:
        import tomllib
    except ModuleNotFoundError:
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
