"""Releases: the minor version a tree is on, those that tags name, and the one that a tree's API is compared with.

Versions are 0.N or 0.N.P; here N and P are numbers, so that 0.10 is newer than 0.9.
"""

from __future__ import annotations

import re
import time
from typing import NamedTuple

from ..git import GitError
from . import Project

_VERSION = re.compile(r"\s*v?0\.(\d{1,9})(?!\d)")
_TAG = re.compile(r"v0\.(\d{1,9})\.(\d{1,9})")


class Release(NamedTuple):
    """A tag that is a version; ``date`` in seconds."""

    minor: int
    patch: int
    date: int
    tag: str


def current(project: Project) -> int | None:
    """The N of 0.N in the version file; None, with a note, where there is no such file or it holds something else."""
    path = project.profile["version-file"]
    text = project.text(path)
    found = _VERSION.match(text) if text else None
    if found is None:
        says = f"says {text.strip()[:40]!r}, not 0.N" if text else "is missing"
        project.note(f"{path} {says}: nothing was judged by the version that the tree is on")
        return None
    return int(found[1])


def released(project: Project) -> list[Release]:
    """Releases dated at or before the tree, oldest version first; a working tree and an index are of today."""
    key = ("releases",)
    if key not in project.memo:
        project.memo[key] = _released(project)
    return project.memo[key]


def upcoming(project: Project) -> int | None:
    """The N of the next release: the tree's own version as long as that has no tag."""
    version, tags = current(project), released(project)
    if version is None:
        return tags[-1].minor + 1 if tags else None
    return version + any(item.minor == version for item in tags)


def baseline(project: Project) -> list[Release]:
    """The newest 0.N.0 and its patch releases so far; empty where no tag names one.

    A tree on an older line than the newest release (a release branch) is compared with its own line.
    """
    version, tags = _own_version(project), released(project)
    minors = [item.minor for item in tags if item.patch == 0 and (version is None or item.minor <= version)]
    return [item for item in tags if minors and item.minor == minors[-1]]


def at_release(project: Project, release: Release) -> Project:
    """A release's tree."""
    key = ("at", release.tag)
    if key not in project.memo:
        project.memo[key] = project.at(release.tag)
    return project.memo[key]


def _own_version(project: Project) -> int | None:
    found = _VERSION.match(project.text(project.profile["version-file"]) or "")
    return int(found[1]) if found else None


def _released(project: Project) -> list[Release]:
    git = project.tree.git
    if git is None:
        return []
    until = _date(project)
    releases = []
    listing = git.text("for-each-ref", "--format=%(refname:strip=2) %(creatordate:unix)", "refs/tags/v0.*")
    for line in listing.splitlines():
        tag, _, date = line.partition(" ")
        if (found := _TAG.fullmatch(tag)) and date.isdigit() and int(date) <= until:
            releases.append(Release(int(found[1]), int(found[2]), int(date), tag))
    return sorted(releases)


def _date(project: Project) -> float:
    tree = project.tree
    if tree.folder is None and tree.label != "index":
        try:
            # The committer's date: a rebased commit is as new as its new parents.
            return int(tree.git.text("log", "-1", "--format=%ct", "--end-of-options", tree.label))
        except (GitError, ValueError):
            pass  # a tree has no date
    return time.time()
