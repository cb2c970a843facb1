"""The two suites that a pull request gets on request: without optional packages, and on the oldest torch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..profile import CONFIG
from . import Project
from .ci import runs
from .jobs import collects_file
from .tests import is_test_file

if TYPE_CHECKING:
    from ..change import Change


def collects(project: Project, path: str, suite: str) -> bool:
    """Whether a suite (a key of the profile's ``suites``) collects a test file.

    A tree whose workflows do not have the suite's job, or cannot be read, leaves that open: then every test file but those
    of language models, which no version of the suites took.
    """
    if not is_test_file(path, project.profile["tests"]):
        return False
    key = ("suite", suite)
    if key not in project.memo:
        job = project.profile["suites"][suite]["job"]
        project.memo[key] = [run for run in runs(project) if run.job == job]
    if project.memo[key]:
        return any(collects_file(project, run, path) for run in project.memo[key])
    return not is_about_language_models(path)


def covers(project: Project, path: str, suite: str) -> bool:
    """Whether a suite runs or imports a file: one of the package, or a test that it collects."""
    package = project.profile["package"]
    return path.startswith(package + "/") or collects(project, path, suite)


def is_about_language_models(path: str) -> bool:
    """Whether a file is about language models, which neither suite installs."""
    return "llm" in path.split("/")


def own_files(change: Change, suite: str) -> list[str]:
    """Changed files of a suite's own folder."""
    folder = change.project.profile["suites"][suite]["folder"]
    return [path for path in sorted(change.changed) if path.startswith(folder + "/")]


def requirement_files(change: Change) -> Iterator[tuple[str, int, str]]:
    """(path, line, text) of the new lines of the files that say what is required."""
    for path in (CONFIG, "setup.py"):
        if path in change.changed and path in change.project.tree:
            old = Counter((change.before.text(path) or "").splitlines())
            for number, text in enumerate((change.project.text(path) or "").splitlines(), 1):
                if old[text] > 0:
                    old[text] -= 1
                else:
                    yield path, number, text
