"""Why no job executes a test: its marks, its needs, or what the jobs select."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from . import Project
from .ci import Run, dead_scripts
from .jobs import NEEDS_OPTION, refusal, runs_of
from .needs import Needs, installs, mentions, named_in_ci, needs, verdicts
from .tests import Test

_SHOWN = 3


class Cause(NamedTuple):
    """Why a test runs nowhere.

    Args:
        kind: tests of one class with the same kind have one cause.
        message: the end of a sentence that says that it does not run.
        severity: "" for the rule's own.
        scripts: what was read to find it.
    """

    kind: str
    message: str
    hint: str
    severity: str = ""
    scripts: tuple[str, ...] = ()


def cause(project: Project, test: Test) -> Cause | None:
    """Why a test of a file that some job takes is executed by none; None where one does, or may."""
    need = needs(project, test)
    taking = [run for run in _distinct(project, test.path) if run.gpus >= need.gpus]
    if not need.packages and not need.variables:
        # The first job that takes it settles the matter.
        if any(not refusal(project, run, test) for run in taking):
            return None
    elif taking := [run for run in taking if not refusal(project, run, test)]:
        return _missing_things(project, test, need, taking)
    pairs = verdicts(project, test)
    labels: dict[str, dict[str, None]] = {}
    for run, reason in pairs:
        labels.setdefault(reason, {})[run.label] = None
    scripts = tuple(sorted({run.script for run, _ in pairs}))
    marker = project.profile["gpu"]["marker"]
    if need.gpus and any(reason == f"deselected by -m {marker}" and run.gpus >= need.gpus for run, reason in pairs):
        # The marker is all that it lacks, and gpu-marker-missing says so.
        return None
    for mark, option in NEEDS_OPTION.items():
        reason = f"skipped: {mark} without {option}"
        if reason in labels:
            return Cause(
                mark,
                f"it is marked {mark}, and {_some(labels[reason])} {_verb(labels[reason], 'take')} it without {option}",
                f"Drop the mark, or let a job that takes the test pass {option}.",
                scripts=scripts,
            )
    most = max((run.gpus for run, reason in pairs if reason.startswith("skipped: needs")), default=None)
    if most is not None and need.gpus > most:
        jobs = dict.fromkeys(
            run.label for run, reason in pairs if reason.startswith("skipped: needs") and run.gpus == most
        )
        has = f"{most} GPU" + ("" if most == 1 else "s") if most else "no GPU"
        return Cause(
            "gpus",
            f"it needs {need.gpus} GPUs and the runners of the jobs that collect it ({_some(jobs)}) have {has} by their label",
            "Give it a job on a runner with that many GPUs, or make it work with one.",
            scripts=scripts,
        )
    told = [
        f"{reason} ({_some(jobs)})" for reason, jobs in sorted(labels.items(), key=lambda item: "-m" not in item[0])
    ]
    more = f" and {len(told) - _SHOWN} other selections leave it out" if len(told) > _SHOWN else ""
    return Cause(
        "deselected",
        "; ".join(told[:_SHOWN]) + more,
        "Name it in the -k of the job that is meant to run it.",
        scripts=scripts,
    )


def _distinct(project: Project, path: str) -> list[Run]:
    """The runs that take a file, one of each kind, those without -k first."""
    key = ("distinct runs", path)
    if key not in project.memo:
        unique = {(run.selection, run.gpus, run.scripts): run for run in reversed(runs_of(project, path))}
        project.memo[key] = sorted(unique.values(), key=lambda run: bool(run.selection.keyword))
    return project.memo[key]


def _missing_things(project: Project, test: Test, need: Needs, taking: list[Run]) -> Cause | None:
    """A variable or a package that no job which takes the test provides."""
    for name in sorted(need.variables):
        if not named_in_ci(project, name):
            return Cause(
                "variable " + name,
                f"it runs only where {name} is set, and no workflow or script sets it",
                f"Set {name} in the job that is meant to run it, or drop the condition.",
            )
    for package in sorted(need.packages):
        if any(installs(project, run, package) for run in taking):
            continue
        kind = f"package {package}"
        others = [run for run, reason in verdicts(project, test) if "-k" in reason and installs(project, run, package)]
        if others:
            run, jobs = others[0], dict.fromkeys(other.label for other in others)
            return Cause(
                kind,
                f"it needs {package}, which of the jobs that take the file only {_some(jobs)} {_verb(jobs, 'install')}, "
                f"and -k {run.selection.keyword!r} leaves it out",
                f"Let the -k of {run.label} match it, or install {package} in a job that takes it.",
                scripts=(run.script,),
            )
        if named_in_ci(project, package, alive=True):
            # Some job installs it; whether it reaches these, with another package, cannot be told.
            continue
        for script in dead_scripts(project):
            folder = script.rpartition("/")[0]
            if mentions(project, folder, package):
                return Cause(
                    kind,
                    f"it needs {package}, which only {folder} installs, and no workflow calls that",
                    "Add a job that calls the script, or delete test and script.",
                    scripts=(script,),
                )
        if not named_in_ci(project, package):
            return Cause(
                kind,
                f"it needs {package}, which no CI script names; unless another package brings it, it is always skipped",
                f"Install {package} in a job that takes the test.",
                severity="advisory",
            )
    return None


def _some(names: Iterable[str]) -> str:
    names = list(names)
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def _verb(subjects: dict[str, None], verb: str) -> str:
    return verb if len(subjects) > 1 else verb + "s"
