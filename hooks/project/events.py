"""When a job runs: events, labels and conditions, its callers' and its needs' included."""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from ..facts.records_ci import Job, Step, Trigger, Workflow
from . import github
from .ci import Gate
from .interpreter import ROOT, UNKNOWN

PULL_REQUEST, PUSH, NIGHTLY, DISPATCH, RELEASE = "pull request", "push", "nightly", "dispatch", "release"

_EVENTS = {
    "pull_request": PULL_REQUEST,
    "pull_request_target": PULL_REQUEST,
    "schedule": NIGHTLY,
    "workflow_dispatch": DISPATCH,
}
_REF = {PULL_REQUEST: "refs/pull/1/merge", PUSH: "refs/heads/main", NIGHTLY: "refs/heads/main"}


class Entry(NamedTuple):
    """One way into a workflow: the event that started it and the jobs that called it."""

    gate: Gate
    event: str
    inputs: tuple[tuple[str, str], ...]
    callers: tuple[tuple[Job, Entry], ...] = ()


def entries(workflows: dict[str, Workflow]) -> dict[str, list[Entry]]:
    """The ways into every workflow, those through callers included."""
    found: dict[str, list[Entry]] = {path: [] for path in workflows}
    waiting = [
        (path, Entry(gate, trigger.event, ()))
        for path, workflow in workflows.items()
        for trigger in workflow.triggers
        for gate in _gates(trigger)
    ]
    while waiting:
        path, entry = waiting.pop(0)
        found[path].append(entry)
        for job in workflows[path].jobs:
            target = posixpath.normpath(job.uses) if job.uses.startswith("./") else ""
            # GitHub nests calls four deep.
            if target in workflows and len(entry.callers) < 4:
                waiting.append((target, Entry(entry.gate, entry.event, job.inputs, (*entry.callers, (job, entry)))))
    return found


def _gates(trigger: Trigger) -> Iterator[Gate]:
    if trigger.event == "push":
        branches = trigger.branches
        if (not branches and not trigger.tags) or any(fnmatch.fnmatchcase("main", glob) for glob in branches):
            yield Gate(PUSH, paths=trigger.paths)
        elif branches or trigger.tags:
            yield Gate(
                RELEASE if any("release" in branch for branch in branches) or not branches else "push to " + branches[0]
            )
    elif trigger.event != "workflow_call":
        yield Gate(_EVENTS.get(trigger.event, trigger.event), paths=trigger.paths)


class Conditions:
    """Evaluates expressions; parsed ones, and what was found about a job, are kept."""

    def __init__(self) -> None:
        self._trees: dict[str, Any] = {}
        self._known: dict[tuple[str, str, str], tuple[Gate, ...]] = {}

    def fill(self, text: str, contexts: dict[str, Any]) -> str:
        """A text with its ``${{ }}`` replaced by what they are worth, ``UNKNOWN`` where that is not known."""
        if "${{" not in text:
            return text
        return re.sub(r"\$\{\{(.*?)\}\}", lambda match: self._worth(match[1], contexts), text, flags=re.DOTALL)

    def _worth(self, expression: str, contexts: dict[str, Any]) -> str:
        tree = self._tree(expression)
        found = UNKNOWN if tree is None else github.text_of(github.value(tree, contexts))
        return UNKNOWN if found is None else found

    def _tree(self, expression: str) -> Any:
        if expression not in self._trees:
            try:
                self._trees[expression] = github.parse(expression)
            except (github.ExpressionError, RecursionError):
                self._trees[expression] = None
        return self._trees[expression]

    def gates(
        self, path: str, workflow: Workflow, job: Job, step: Step, entries: list[Entry], contexts: dict[str, Any]
    ) -> tuple[Gate, ...]:
        """When a step runs; computed once where the matrix has no say."""
        key = (path, job.name, step.condition)
        if key in self._known:
            return self._known[key]
        more = (step.condition,) if step.condition else ()
        found = self._find_gates(workflow, job, entries, more, contexts)
        if "matrix" not in step.condition:
            self._known[key] = found
        return found

    def runs(self, workflow: Workflow, job: Job, entry: Entry, contexts: dict[str, Any]) -> bool | None:
        """Whether a job runs when its workflow is entered one way; None where that is not known."""
        return self._holds(workflow, job, entry, (), contexts, ())

    def _find_gates(
        self, workflow: Workflow, job: Job, entries: list[Entry], more: tuple[str, ...], contexts: dict[str, Any]
    ) -> tuple[Gate, ...]:
        found: dict[str, Gate] = {}
        for entry in entries:
            holds = partial(self._holds, workflow, job, entry, more, contexts)
            gate = entry.gate
            plain = holds(())
            if gate.event == PULL_REQUEST:
                candidates = self._labels(job, entry, more)
                labelled = {label: holds((label,)) for label in candidates}
                if plain is False:
                    wanted = [label for label in candidates if labelled[label] is not False]
                    if not wanted:
                        continue
                    # A label that merely contains the text opens the gate too?
                    loose = [f"{label}*" if holds((f"x{label}x",)) is not False else label for label in wanted]
                    gate = gate._replace(labels=tuple(sorted(loose)))
                else:
                    gate = gate._replace(
                        without=tuple(sorted(label for label in candidates if labelled[label] is False))
                    )
            elif plain is False:
                continue
            known = found.get(gate.event)
            if known is None or (known.labels, known.paths) > (gate.labels, gate.paths):
                found[gate.event] = gate
        return tuple(found.values())

    def _labels(self, job: Job, entry: Entry, more: tuple[str, ...]) -> list[str]:
        texts: set[str] = set()
        for condition in (job.condition, *more, *[caller.condition for caller, _ in entry.callers]):
            if "labels" in condition and self._tree(condition) is not None:
                texts |= github.literals(self._tree(condition))
        candidates = {text.strip(" ,") for text in texts}
        return sorted(text for text in candidates if text and "{" not in text and text not in _EVENTS)

    def _holds(
        self,
        workflow: Workflow,
        job: Job,
        entry: Entry,
        more: tuple[str, ...],
        contexts: dict[str, Any],
        labels: tuple[str, ...],
    ) -> bool | None:
        """Whether a job runs when a workflow is entered that way."""
        given = {**contexts, **_event(entry, labels)}
        answers = [self._met(workflow, job, given)]
        answers += [self._condition(text, given) for text in more]
        for caller, outer in entry.callers:
            answers.append(self._condition(caller.condition, {**contexts, **_event(outer, labels)}))
        return False if False in answers else None if None in answers else True

    def _met(self, workflow: Workflow, job: Job, given: dict[str, Any], depth: int = 8) -> bool | None:
        """A job's own condition and, unless that asks for their status, those of the jobs that it needs."""
        own = self._condition(job.condition, given)
        tree = self._tree(job.condition) if job.condition else None
        if own is False or not job.needs or depth == 0 or (tree is not None and github.asks_status(tree)):
            return own
        needed = [other for other in workflow.jobs if other.name in job.needs]
        answers = [own, *[self._met(workflow, other, given, depth - 1) for other in needed]]
        return False if False in answers else None if None in answers else True

    def _condition(self, text: str, given: dict[str, Any]) -> bool | None:
        if not text:
            return True
        tree = self._tree(text)
        return None if tree is None else github.truth(tree, given)


def _event(entry: Entry, labels: tuple[str, ...]) -> dict[str, Any]:
    event = entry.gate.event
    request = {"labels": [{"name": label} for label in labels]} if event == PULL_REQUEST else None
    return {
        "github": {
            "event_name": entry.event,
            "ref": _REF.get(event, github.UNKNOWN),
            "workspace": ROOT,
            "event": {"pull_request": request, "inputs": github.UNKNOWN},
        },
        "inputs": {name: github.UNKNOWN if "${{" in text else text for name, text in entry.inputs},
    }
