"""Files whose label starts jobs that have nothing to do with them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from . import Project
from .ci import Run, incomplete, runs
from .events import PULL_REQUEST
from .globs import matches
from .jobs import refusal, runs_of
from .labeler import asked, config_path, globs
from .labels import gating, starts
from .needs import named_in_ci
from .optional import OPTIONAL, imported, need
from .tests import collected, is_test_file


class Stray(NamedTuple):
    """A file and the label that the labeler gives it, by the glob at ``line`` of its configuration.

    Args:
        wanted: of a test file: the labels that start a job with its tests.
        jobs: of a test file: those jobs.
        package: of a library's file: what no job installs.
    """

    path: str
    label: str
    line: int
    wanted: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    package: str = ""


def strays(project: Project) -> Iterator[Stray]:
    """Test files that only jobs of other labels run, and files about a package that no job installs."""
    facts = project.labels(config_path(project))
    waited = _waited(project)
    if facts is None or not waited or incomplete(project) or not runs(project):
        return
    places = [(label, glob, line) for label, glob, line in globs(facts) if label in waited]
    for path in project.tree.paths(suffix=".py"):
        touched = {label: line for label, glob, line in reversed(places) if matches(glob, path)}
        if not touched:
            continue
        # The branch that the change goes to is not this tree's.
        given = {item.label: touched[item.label] for item in asked(project, [path], {}) if item.label in touched}
        if not given:
            continue
        label = min(given, key=len)
        if is_test_file(path, project.profile["tests"]):
            takers = [run for run in _gated(project, path, waited) if _takes_some(project, run, path)]
            if takers and not any(starts(each, run) for each in given for run in takers):
                labels = [[each.rstrip("*") for each in run.on(PULL_REQUEST).labels] for run in takers]
                # One that starts all of them says enough.
                wanted = [each for each in labels[0] if all(each in others for others in labels)]
                wanted = wanted or list(dict.fromkeys(each for group in labels for each in group))
                yield Stray(path, label, given[label], tuple(wanted), tuple(dict.fromkeys(run.label for run in takers)))
        elif package := _own_package(project, path):
            if not named_in_ci(project, package, alive=True):
                yield Stray(path, label, given[label], package=package)


def _waited(project: Project) -> set[str]:
    """The labels that start jobs, those of the suites aside: these are about packages and not about files."""
    suites = {suite["label"] for suite in project.profile["suites"].values()}
    return {item.label for item in gating(project) if not item.negated} - suites


def _gated(project: Project, path: str, waited: set[str]) -> list[Run]:
    """The runs of a pull request that take a file and wait for one of some labels."""
    found = [run for run in runs_of(project, path) if run.on(PULL_REQUEST) is not None]
    return [run for run in found if any(each.rstrip("*") in waited for each in run.on(PULL_REQUEST).labels)]


def _takes_some(project: Project, run: Run, path: str) -> bool:
    return any(not refusal(project, run, test) for test in collected(project, path))


def _own_package(project: Project, path: str) -> str:
    """The optional package that a module is named after and asks for; "" where there is none."""
    stem = posixpath.basename(path).removesuffix(".py")
    name = imported(stem) or stem
    module = project.module(path)
    if module is None or need(project, name) != OPTIONAL:
        return ""
    asks = {item.argument for item in module.probes} | {item.module for item in module.imports if not item.level}
    return name if any(each.partition(".")[0] == name for each in asks) else ""
