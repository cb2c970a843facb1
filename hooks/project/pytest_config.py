"""What the tree's pytest configuration says about collection."""

from __future__ import annotations

import re
import shlex
from typing import Any

from . import Project
from .pyproject import parse

_CONFIGS = (
    ("pytest.ini", "pytest"),
    ("pyproject.toml", "tool.pytest.ini_options"),
    ("tox.ini", "pytest"),
    ("setup.cfg", "tool:pytest"),
)


def config(project: Project) -> dict[str, list[str]]:
    """What the tree's pytest configuration says about collection."""
    if "pytest" not in project.memo:
        found: dict[str, list[str]] = {"testpaths": [], "python_files": [], "addopts": [], "markers": [], "path": []}
        for path, section in _CONFIGS:
            text = project.text(path) if path in project.tree else None
            if text is None or f"[{section}]" not in text:
                continue
            table = _toml(text) if path.endswith(".toml") else _ini(text, section)
            for key in ("testpaths", "python_files", "addopts", "markers"):
                given = table.get(key, "")
                if isinstance(given, str):
                    given = given.splitlines() if key == "markers" else _split(given)
                found[key] = [item.strip() for item in given if item.strip()]
            found["path"] = [path]
            break
        found["python_files"] = found["python_files"] or ["test_*.py", "*_test.py"]
        project.memo["pytest"] = found
    return project.memo["pytest"]


def registered(project: Project) -> set[str]:
    """Names of the marks that the pytest configuration or a ``conftest.py`` registers."""
    if "registered" not in project.memo:
        project.memo["registered"] = _registered(project)
    return project.memo["registered"]


def _registered(project: Project) -> set[str]:
    lines = list(config(project)["markers"])
    for path in project.tree.paths(project.profile["tests"], "conftest.py"):
        lines += re.findall(r"addinivalue_line\(\s*[\"']markers[\"'],\s*[\"']([^\"']+)", project.text(path) or "")
    return {re.split(r"[:(]", line)[0].strip() for line in lines}


def config_paths(project: Project) -> tuple[str, ...]:
    """The files in which pytest is configured, the one that counts first."""
    return tuple(path for path, _ in _CONFIGS if path in project.tree and path in config(project)["path"])


def _ini(text: str, section: str) -> dict[str, str]:
    from configparser import ConfigParser, Error

    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except Error:
        return {}
    return dict(parser[section]) if section in parser else {}


def _toml(text: str) -> dict[str, Any]:
    try:
        return parse(text)["tool"]["pytest"]["ini_options"]
    except (KeyError, TypeError):
        return {}


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return text.split()
