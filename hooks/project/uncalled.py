"""Shell scripts of the CI folder that nothing calls, and conditions of workflows that never hold."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..facts.records_ci import Step, Workflow
from . import Project, github
from .ci import ci_folder
from .events import Conditions, Entry, entries
from .interpreter import ROOT


class Never(NamedTuple):
    """A condition that never holds; ``jobs`` have it, the first one at ``line``."""

    path: str
    line: int
    text: str
    jobs: tuple[str, ...]
    whole: bool


def uncalled(project: Project) -> dict[str, list[str]]:
    """Folder -> scripts in it that no workflow and no called script names.

    Files that are no scripts (workflows, documents, lists) are where calls begin.
    """
    scripts = set(project.tree.paths(ci_folder(project), ".sh"))
    waiting = [path for path in project.tree.paths(ci_folder(project)) if path not in scripts]
    while waiting:
        path = waiting.pop()
        text = project.text(path) or ""
        if ".sh" not in text:
            continue
        for script in sorted(scripts):
            folder, name = posixpath.split(script)
            if name in text and (
                posixpath.dirname(path) == folder or f"{posixpath.basename(folder)}/{name}" in text or folder in text
            ):
                scripts.discard(script)
                waiting.append(script)
    found: dict[str, list[str]] = {}
    for script in sorted(scripts):
        found.setdefault(posixpath.dirname(script), []).append(script)
    return found


def never(project: Project) -> Iterator[Never]:
    """Conditions that no event of their workflow meets: a comparison with an event's name, or the whole of a job's."""
    workflows: dict[str, Workflow] = {}
    folder = project.profile["workflows"]
    for path in project.tree.paths(folder):
        if path.endswith((".yml", ".yaml")) and posixpath.dirname(path) == folder:
            facts = project.workflow(path)
            if facts is not None and facts.failure is None:
                workflows[path] = facts
    ways = entries(workflows)
    for path, workflow in workflows.items():
        yield from _events(project, path, workflow, ways[path])
        yield from _jobs(project, path, workflow, ways[path])


def _events(project: Project, path: str, workflow: Workflow, ways: list[Entry]) -> Iterator[Never]:
    known = {entry.event for entry in ways}
    # Another repository may call it on any event.
    callable_ = any(trigger.event == "workflow_call" for trigger in workflow.triggers)
    found: dict[str, dict[str, int]] = {}
    for job in workflow.jobs:
        for condition in (job.condition, *[step.condition for step in job.steps]):
            for event in _compared(_tree(condition)):
                if event == "workflow_call" or (event not in known and not callable_):
                    found.setdefault(event, {}).setdefault(job.name, job.line)
    for event, jobs in found.items():
        line = next(iter(jobs.values()))
        yield Never(
            path, _line_of(project, path, line, f"'{event}'"), f"github.event_name == '{event}'", tuple(jobs), False
        )


def _jobs(project: Project, path: str, workflow: Workflow, ways: list[Entry]) -> Iterator[Never]:
    conditions = Conditions()
    step = Step(1, "", "", "", None, (), 1, "", "", ())
    contexts: dict[str, Any] = {"env": {}, "github": {"workspace": ROOT}}
    for job in workflow.jobs:
        if "github." in job.condition and ways and not conditions.gates(path, workflow, job, step, ways, contexts):
            yield Never(
                path, _line_of(project, path, job.line, "if:"), " ".join(job.condition.split()), (job.name,), True
            )


def _tree(condition: str) -> Any:
    if "event_name" not in condition:
        return None
    try:
        return github.parse(condition)
    except (github.ExpressionError, RecursionError):
        return None


def _compared(tree: Any) -> Iterator[str]:
    """The events that an expression compares ``github.event_name`` with."""
    if not isinstance(tree, tuple):
        return
    if tree[0] == "==":
        for one, other in ((tree[1], tree[2]), (tree[2], tree[1])):
            if (
                one == (".", ("name", "github"), ("value", "event_name"))
                and other[0] == "value"
                and isinstance(other[1], str)
            ):
                yield other[1]
    for part in tree[2] if tree[0] == "call" else tree[1:]:
        yield from _compared(part)


def _line_of(project: Project, path: str, first: int, text: str) -> int:
    """The first line from one on that holds a text."""
    lines = (project.text(path) or "").splitlines()
    return next((number for number in range(first, len(lines) + 1) if text in lines[number - 1]), first)
