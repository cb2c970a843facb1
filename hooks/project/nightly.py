"""What a schedule starts: the workflows that an orchestrator calls each night, and the jobs whose conditions hold then."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

from ..facts.records_ci import Job, Workflow
from . import Project
from .events import NIGHTLY, Conditions, entries

_CALLS = 3
"""Fewer calls make no orchestrator."""
_CALLED, _SCHEDULED = re.compile(r"""(['"])workflow_call\1"""), re.compile(r"""(['"])schedule\1""")


class Gap(NamedTuple):
    """A workflow or job that no night runs although it seems meant to.

    Args:
        kind: "uncalled", "called" (its condition asks for a call's own event) or "unscheduled".
        others: for an uncalled workflow the orchestrator, for a condition the workflows that bring the schedule.
    """

    kind: str
    path: str
    line: int
    name: str
    others: tuple[str, ...]
    calls: int = 0


def gaps(project: Project) -> list[Gap]:
    """All of them, in the order of the files; what cannot be evaluated is none."""
    workflows = _workflows(project)
    callers = {path: {_target(job) for job in workflow.jobs} & workflows.keys() for path, workflow in workflows.items()}
    nightly = {
        path: called
        for path, called in callers.items()
        if len(called) >= _CALLS and any(trigger.event == "schedule" for trigger in workflows[path].triggers)
    }
    called = set().union(*callers.values())
    found = []
    ways = entries(workflows)
    conditions = Conditions()
    for path, workflow in workflows.items():
        events = {trigger.event: trigger.line for trigger in workflow.triggers}
        if "workflow_call" in events and "schedule" not in events and path not in called and nightly:
            most = max(nightly, key=lambda other: len(nightly[other]))
            name = posixpath.basename(path).rpartition(".")[0]
            found.append(Gap("uncalled", path, events["workflow_call"], name, (most,), len(nightly[most])))
        scheduled = [entry for entry in ways[path] if entry.gate.event == NIGHTLY]
        for job in workflow.jobs:
            if scheduled and _CALLED.search(job.condition):
                contexts = {"matrix": {}, "env": {}, "github": {"ref": "refs/heads/main", "ref_name": "main"}}
                if all(conditions.runs(workflow, job, entry, contexts) is False for entry in scheduled):
                    by = tuple(sorted(other for other in nightly if path in nightly[other]))
                    found.append(Gap("called", path, job.line, job.name, by))
            elif not scheduled and ways[path] and _SCHEDULED.search(job.condition):
                if not re.search(r"!=\s*['\"]schedule", job.condition):
                    found.append(Gap("unscheduled", path, job.line, job.name, ()))
    return found


def _workflows(project: Project) -> dict[str, Workflow]:
    folder = project.profile["workflows"]
    found = {}
    for path in project.tree.paths(folder):
        if path.endswith((".yml", ".yaml")) and posixpath.dirname(path) == folder:
            facts = project.workflow(path)
            if facts is not None and facts.failure is None:
                found[path] = facts
    return found


def _target(job: Job) -> str:
    return posixpath.normpath(job.uses) if job.uses.startswith("./") else ""
