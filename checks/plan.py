"""What a change needs to have run: areas of smoke checks, test files, labels, and the jobs to run them in.

Everything is read from the two trees and from data; torch need not be installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from torchrl_preflight.hooks.change import Change
from torchrl_preflight.hooks.commands.labels import RULES
from torchrl_preflight.hooks.project import Project
from torchrl_preflight.hooks.project.jobs import mark_sets
from torchrl_preflight.hooks.project.tests import collected, is_test_file
from torchrl_preflight.hooks.report.json import labels
from torchrl_preflight.hooks.run import Options, UsageError, open_change, run

from . import index, matrix
from .areas import names
from .imports import importers
from .routes import rows_of

_PLAIN = re.compile(r"[A-Za-z0-9_./+-]+")
"""Paths that a shell takes as they are: jobs get theirs separated by spaces, and a pull request names its files at will."""


class Reasons(dict[str, str]):
    """Something to run -> why; the first reason stays."""

    def add(self, keys: Iterable[str], reason: str) -> None:
        for key in keys:
            self.setdefault(key, reason)


class Selection(NamedTuple):
    """What answers for some changed files.

    Args:
        areas: area of smoke checks -> why.
        tests: test file -> why.
        unmapped: files that no row of the map speaks of; the import graph answered for them.
        idle: files for which there is nothing to run -> why.
    """

    areas: Reasons
    tests: Reasons
    unmapped: list[str]
    idle: dict[str, str]


def selected(project: Project, changed: Iterable[str], before: Project | None = None) -> Selection:
    """The areas and test files for some changed paths of a tree, deleted ones included.

    Args:
        before: the tree before the change; it says who imported what is gone.
    """
    changed = sorted(changed)
    gone = {path for path in changed if path not in project.tree}
    answered: set[str] = set()  # files for which tests that import them answer
    everything = test_files(project)
    found = Selection(Reasons(), Reasons(), [], {})
    found.tests.add((path for path in changed if path in everything), "changed")
    for path in changed:
        own = rows_of(path)
        for row in own:
            found.areas.add(row.areas, f"{path} is mapped to it")
            found.tests.add(row.tests_for(path, everything), f"{path} is mapped to it")
        if not own:
            found.unmapped.append(path)
        elif not any(row.tests or row.areas for row in own):
            found.idle[path] = "it is gone" if path in gone else own[0].why
    for test, source in importers(project, _with_helpers(project, set(changed)), everything).items():
        found.tests.add([test], f"imports {source}" + ("" if source in changed else ", which stands on a changed file"))
        answered.add(source)
    if gone and before is not None:
        left = [test for test in everything if test in before.tree]
        for test, source in importers(before, _with_helpers(before, gone), left).items():
            which = "which is gone" if source in gone else "which stood on a file that is gone"
            found.tests.add([test], f"imported {source}, {which}")
            answered.add(source)
    for conftest in (path for path in changed if path.endswith("/conftest.py")):
        below = conftest.removesuffix("conftest.py")
        configured = [test for test in everything if test.startswith(below)]
        found.tests.add(configured, f"{conftest} is its configuration")
        answered |= {conftest} if configured else set()
    for path in found.unmapped:
        package = project.profile["package"]
        users = importers(project, {path}, project.tree.paths(package, ".py"))
        known = {area: user for user in users for row in rows_of(user) for area in row.areas}
        for area, user in known.items():
            found.areas.add([area], f"{path} is unmapped, and {user} imports it")
        if not known and path.startswith(f"{package}/"):
            found.areas.add(names(), f"{path} is unmapped, and nothing that is mapped imports it")
    for path in [path for path in found.idle if path in found.tests or path in answered]:
        del found.idle[path]
    return found


def test_files(project: Project) -> list[str]:
    """The test files of a tree."""
    folder = project.profile["tests"]
    return [path for path in project.tree.paths(folder, ".py") if is_test_file(path, folder)]


def _with_helpers(project: Project, changed: set[str]) -> set[str]:
    """The changed files, and the helpers of tests that import a changed helper: those hand on what they import."""
    tests, package = project.profile["tests"], project.profile["package"]
    helping = {path for path in changed if path.startswith((f"{tests}/", f"{package}/testing/"))}
    others = [
        path
        for folder in (tests, f"{package}/testing")
        for path in project.tree.paths(folder, ".py")
        if not is_test_file(path, tests)
    ]
    return changed | (set(importers(project, helping, others)) if helping else set())


def plan(options: Options) -> dict[str, Any]:
    """The whole plan as the json of ``torchrl-smoke plan --format json`` has it.

    Args:
        options: ``repo``, ``ref``, ``base`` and ``title`` count.

    Raises:
        GitError, ConfigError: a tree cannot be read; the message says what to do.
        UsageError: there is nothing to compare with.
    """
    base, change, store, git = open_change(options)
    try:
        if change is None:
            return _nothing("no profile fits this tree (it has neither torchrl nor tensordict), so nothing was planned")
        if not any(
            row.areas for path in change.project.tree.paths(change.project.profile["package"]) for row in rows_of(path)
        ):
            raise UsageError(f"{options.repo}: the map of areas and tests is that of pytorch/rl, which this is not")
        if change.before is None:
            raise UsageError(base.note or "there is no base to compare with; give --base")
        return _plan(options, change) | {"base": {"commit": base.commit, "chosen_by": base.chosen_by}}
    finally:
        store.close()
        if git is not None:
            git.close()


def _nothing(note: str) -> dict[str, Any]:
    """The plan of a tree that is not known."""
    lists = {key: [] for key in ("areas", "checks", "tests", "labels", "unmapped")}
    flags = dict.fromkeys(("anything", "gpu", "olddeps", "optdeps"), False)
    base = {"commit": None, "chosen_by": "none"}
    return {"schema": 1, "base": base, **lists, **flags, "matrix": {"include": []}, "notes": [note]}


def _plan(options: Options, change: Change) -> dict[str, Any]:
    project = change.project
    found = selected(project, change.changed, change.before)
    areas = [area for area in names() if area in found.areas]
    checks = [check for area in areas for check in index.checks(area)]
    tests = sorted(found.tests)
    plain = [path for path in tests if _PLAIN.fullmatch(path)]
    jobs = matrix.jobs(checks, plain, [path for path in plain if _has_gpu_tests(project, path)])
    wanted = run(options._replace(select=RULES))
    starting = {row["label"] for row in labels(wanted)}
    suites = {suite: values["label"] in starting for suite, values in project.profile["suites"].items()}
    return {
        "schema": 1,
        "base": {},
        "anything": bool(jobs),
        "areas": areas,
        "checks": [check.id for check in checks],
        "tests": [{"path": path, "reason": found.tests[path], "minutes": matrix.minutes(path)} for path in tests],
        "labels": [{"label": row["label"], "file": row["path"], "reason": row["reason"]} for row in labels(wanted)],
        "gpu": any(job["device"] == "cuda" for job in jobs),
        "olddeps": suites.get("olddeps", False),
        "optdeps": suites.get("optdeps", False),
        "unmapped": found.unmapped,
        "matrix": {"include": jobs},
        "notes": [*_idle(found.idle), *_odd(set(tests) - set(plain)), *wanted.notes],
    }


def _has_gpu_tests(project: Project, path: str) -> bool:
    """Whether a file has tests that only a host with a GPU runs."""
    mark = project.profile["gpu"]["marker"]
    if mark not in (project.text(path) or ""):
        return False
    return any(mark in marks for test in collected(project, path) for marks in mark_sets(project, test)[0])


def _odd(tests: Iterable[str]) -> list[str]:
    return [
        f"{test!r} is in no job of the matrix: its name has characters that a shell would interpret"
        for test in sorted(tests)
    ]


def _idle(idle: dict[str, str]) -> list[str]:
    """One note for each reason for which there is nothing to run."""
    by_reason: dict[str, list[str]] = {}
    for path, why in idle.items():
        by_reason.setdefault(why, []).append(path)
    return [
        f"nothing to run for {paths[0]}{f' and {len(paths) - 1} more' if len(paths) > 1 else ''}: {why}"
        for why, paths in by_reason.items()
    ]
