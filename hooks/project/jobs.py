"""Which CI job collects which test."""

from __future__ import annotations

import fnmatch
import posixpath
import shlex
from collections.abc import Iterable
from typing import Any

from . import Project, tests
from .ci import Run, runs
from .pytest_config import config
from .select import matches, names
from .tests import Test

NEEDS_OPTION = {"slow": "--runslow", "unity_editor": "--unity_editor"}
"""Marks whose tests ``conftest.py`` skips without an option."""


def collects(
    project: Project, run: Run, path: str, symbol: str = "", marks: Iterable[str] = (), parameters: str = ""
) -> str:
    """Why a run does not execute a test; "" where it does, or may.

    Args:
        path: the test's file.
        symbol: ``Class::test``, ``Class``, ``test``, or "" for the file as a whole.
        marks: names of its marks.
        parameters: source of its parameter lists, which ``-k`` may match too.
    """
    reason = _by_path(project, run, path, symbol)
    return reason or (_by_name(run, path, symbol, frozenset(marks), parameters) if symbol else "")


def collects_file(project: Project, run: Run, path: str) -> bool:
    """Whether the paths of a run select anything in a file; ``-k`` and ``-m`` are not asked."""
    return not _by_path(project, run, path, "")


def runs_of(project: Project, path: str) -> list[Run]:
    """The runs whose paths select anything in a file."""
    key = ("runs", path)
    if key not in project.memo:
        project.memo[key] = [run for run in runs(project) if collects_file(project, run, path)]
    return project.memo[key]


def refusal(project: Project, run: Run, test: Test) -> str:
    """Why a run that takes a test's file executes no row of the test; "" where it executes some, or may."""
    chosen = run.selection
    if chosen.deselects or any("::" in path for path in chosen.paths):
        reason = _by_path(project, run, test.path, test.symbol)
        if reason:
            return reason
    sets, parameters = mark_sets(project, test)
    reasons = [_by_name(run, test.path, test.symbol, names, parameters) for names in sets]
    return "" if "" in reasons else reasons[0]


def mark_sets(project: Project, test: Test) -> tuple[list[frozenset[str]], str]:
    """The sets of marks that the rows of a test have, and the source of its parameter lists."""
    key = ("mark sets", test.path, test.symbol, test.line)
    if key not in project.memo:
        found = tests.marks(project, test)
        owners = [test.function, *[cls for _, cls in test.classes]]
        texts = [item.text for owner in owners for item in owner.decorators if "parametrize" in item.text]
        sets = {frozenset([mark.name for mark in found])}
        if any("marks" in text for text in texts):
            for mark in found:
                rows = (tests.rows(mark) if mark.name == "parametrize" else None) or []
                added = {frozenset([other.name for other in tests.row_marks(project, row, mark)]) for row in rows}
                sets = {names | more for names in sets for more in added or {frozenset()}}
        project.memo[key] = sorted(sets, key=sorted), "\n".join(texts)
    return project.memo[key]


def exempts(
    project: Project, run: Run, path: str, symbol: str, marks: Iterable[str] = (), parameters: str = ""
) -> bool:
    """Whether a run makes the GPU marker of a test needless: on a GPU host, no ``-m``, the test selected.

    Jobs that the profile names as not exempting never do.
    """
    return (
        run.gpus > 0
        and not run.selection.marker
        and run.job not in project.profile["gpu"]["not-exempting"]
        and not collects(project, run, path, symbol, marks, parameters)
    )


def filters_by(project: Project, mark: str) -> bool:
    """Whether some job selects only tests with a mark, as ``-m gpu`` does."""
    return any(
        mark in names(run.selection.marker)
        and matches(run.selection.marker, lambda name: name == mark) is True
        and matches(run.selection.marker, lambda name: False) is False
        for run in runs(project)
    )


# Selection


def _by_name(run: Run, path: str, symbol: str, marks: frozenset[str], parameters: str) -> str:
    """What ``-m``, ``-k`` and the marks that need an option say."""
    chosen = run.selection
    if chosen.marker and matches(chosen.marker, marks.__contains__) is False:
        return f"deselected by -m {shlex.quote(chosen.marker)}"
    if chosen.keyword and matches(chosen.keyword, _keywords(path, symbol, marks, parameters)) is False:
        return f"deselected by -k {shlex.quote(chosen.keyword)}"
    for mark, option in NEEDS_OPTION.items():
        if mark in marks and option not in chosen.options:
            return f"skipped: {mark} without {option}"
    return ""


def _by_path(project: Project, run: Run, path: str, symbol: str) -> str:
    """What the paths of the command line and pytest's configuration say."""
    wanted = run.selection.paths or _defaults(project, run)
    reason = _unselected(project, run, wanted, path, symbol)
    if reason and run.selection.unread:
        # An argument that could not be read may be a path beside the others.
        near = any(given == "." or path.startswith(given.partition("/")[0] + "/") for given in wanted)
        return "" if near else reason
    return reason


def _unselected(project: Project, run: Run, wanted: tuple[str, ...], path: str, symbol: str) -> str:
    chosen = run.selection
    node = f"{path}::{symbol}" if symbol else path
    named = selected = False
    for given in wanted:
        file = given.partition("::")[0]
        if file == path or ("*" in file and _matches(path, file)):
            # An id selects itself and what is below it.
            selected |= not symbol or file == given or _within(node, given) or given.startswith(node + "::")
            named = True
        elif file == "." or path.startswith(file.rstrip("/") + "/"):
            selected = True
    if not selected:
        return "not among its paths"
    if not named:
        for given in chosen.ignores:
            if path == given or path.startswith(given.rstrip("/") + "/"):
                return f"left out by --ignore {given}"
        for given in chosen.ignore_globs:
            if fnmatch.fnmatchcase(path, given):
                return f"left out by --ignore-glob {given}"
        if not any(
            fnmatch.fnmatchcase(posixpath.basename(path), pattern) for pattern in config(project)["python_files"]
        ):
            return "its name is not a test file's"
    for given in chosen.deselects:
        # A row of a parametrized test is not the test.
        if "[" not in given and _within(node, given):
            return f"left out by --deselect {given}"
    return ""


def _matches(path: str, pattern: str) -> bool:
    """Whether the shell expands a pattern to a path; a star does not cross a slash."""
    return path.count("/") == pattern.count("/") and fnmatch.fnmatchcase(path, pattern)


def _within(node: str, given: str) -> bool:
    given = given.partition("[")[0]
    return node == given or node.startswith(given + "::")


def _keywords(path: str, symbol: str, marks: frozenset[str], parameters: str) -> Any:
    """What ``-k`` looks at: names of folders, file, class, function and marks, and parameter ids."""
    known = [part.lower() for part in (*path.split("/"), *symbol.split("::"), *marks)]
    parameters = parameters.lower()

    def holds(name: str) -> bool | None:
        name = name.lower()
        if any(name in part for part in known):
            return True
        stem, bracket, _ = name.partition("[")
        if bracket:
            # "test_x[unity]" can be told only as far as the bracket.
            return None if "parametrize" in marks and known[-1 - len(marks)].endswith(stem) else False
        return None if parameters and name in parameters else False

    return holds


def _defaults(project: Project, run: Run) -> tuple[str, ...]:
    return (run.folder,) if run.folder not in ("", ".") else tuple(config(project)["testpaths"]) or (".",)
