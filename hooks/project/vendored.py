"""Files that the target's own hooks leave as they are, mostly code of others that is kept verbatim."""

from __future__ import annotations

import re

from . import Project

_CONFIG = ".pre-commit-config.yaml"
# At the top level only: an exclude of one hook says nothing about the others.
_EXCLUDE = re.compile(r"^exclude:[ \t]*(['\"]?)(\S.*?)\1[ \t]*$", re.MULTILINE)


def vendored(project: Project, path: str) -> bool:
    """Whether the target's pre-commit configuration excludes a path from every hook."""
    key = ("vendored",)
    if key not in project.memo:
        match = _EXCLUDE.search(project.text(_CONFIG) or "")
        try:
            project.memo[key] = re.compile(match[2]) if match else None
        except re.error:
            project.memo[key] = None
    pattern = project.memo[key]
    return pattern is not None and pattern.search(path) is not None
