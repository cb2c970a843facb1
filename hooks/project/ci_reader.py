"""Reads the pytest commands of CI from workflows and scripts, by interpreting them."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

from ..facts.records_ci import Job, Script, Step, Workflow
from ..facts.shell import VARIABLE
from . import Project
from .ci import Gate, Run, ci_folder, exists, runs
from .events import Conditions, Entry, entries
from .interpreter import ROOT, Command, Interpreter
from .pytest_config import config
from .select import selection

# GPUs of an instance type; a type that is not listed has one.
_GPUS = {
    "g4dn.12xlarge": 4,
    "g4dn.metal": 8,
    "g5.12xlarge": 4,
    "g5.24xlarge": 4,
    "g5.48xlarge": 8,
    "g6.12xlarge": 4,
    "g6.24xlarge": 4,
    "g6.48xlarge": 8,
    "g6e.12xlarge": 4,
    "g6e.24xlarge": 4,
    "g6e.48xlarge": 8,
    "p3.8xlarge": 4,
    "p3.16xlarge": 8,
    "p4d.24xlarge": 8,
    "p4de.24xlarge": 8,
    "p5.48xlarge": 8,
}


def read(project: Project) -> tuple[Run, ...]:
    """Every pytest command of every job, in the order of the files."""
    return tuple(_runs(project))


def _runs(project: Project) -> Iterator[Run]:
    folder = project.profile["workflows"]
    workflows: dict[str, Workflow] = {}
    for path in project.tree.paths(folder):
        if path.endswith((".yml", ".yaml")) and "/" not in path[len(folder) + 1 :]:
            facts = project.workflow(path)
            if facts is not None and facts.failure is None:
                workflows[path] = facts
            elif facts is not None:
                project.note(f"{path}:{facts.failure.line}: not read as a workflow: {facts.failure.message}")
    ways = entries(workflows)
    reader = _Reader(project, workflows)
    for path, workflow in workflows.items():
        for job in workflow.jobs:
            yield from reader.job(path, workflow, job, ways[path])


def incomplete(project: Project, found: tuple[Run, ...]) -> bool:
    """Whether some workflow, or a script that runs pytest, could not be read."""
    folder = project.profile["workflows"]
    for path in project.tree.paths(folder):
        if path.endswith((".yml", ".yaml")):
            facts = project.workflow(path)
            if (
                facts is None
                or facts.failure is not None
                or any(
                    step.script and step.script.pytest and step.script.opaque
                    for job in facts.jobs
                    for step in job.steps
                )
            ):
                return True
    called = {path for run in found for path in (run.script, *run.scripts) if path.endswith(".sh")}
    scripts = [project.script(path) for path in called]
    return any(script is None or (script.pytest and script.opaque) for script in scripts)


def dead_scripts(project: Project) -> dict[str, list[Run]]:
    """Scripts with a pytest command that no workflow calls, and what they would run."""
    called = {path for run in runs(project) for path in (run.script, *run.scripts)}
    reader = _Reader(project, {})
    found: dict[str, list[Run]] = {}
    for path in project.tree.paths(ci_folder(project), ".sh"):
        facts = project.script(path) if path not in called else None
        if facts is not None and facts.pytest:
            commands = reader.alone(path, facts)
            if commands:
                found[path] = [
                    Run("", (), "", "", 1, path, command.line, (), "", 0, command.folder, command.selection, ())
                    for command in commands
                ]
    return found


def gpus(label: str) -> int:
    """How many GPUs a runner has, by its label.

    Returns:
        0 for a host without.
    """
    if "gpu" not in label.lower():
        return 0
    kind = re.search(r"\b([gp]\d\w*\.(?:\d*xlarge|metal))", label)
    return _GPUS.get(kind[1], 1) if kind else 1


class _Reader:
    """Interprets jobs; parsed expressions and script facts are kept."""

    def __init__(self, project: Project, workflows: dict[str, Workflow]) -> None:
        self.project = project
        self.conditions = Conditions()
        named = Counter(job.name for workflow in workflows.values() for job in workflow.jobs)
        self.shared = {name for name, count in named.items() if count > 1}
        self.named: dict[str, list[str]] = {}
        self.reaching: dict[str, bool] = {}
        for path in project.tree.paths(suffix=".sh"):
            self.named.setdefault(posixpath.basename(path), []).append(path)
        self.exists = partial(exists, project)

    def alone(self, path: str, facts: Script) -> list[Command]:
        """The pytest commands of a script that is run by itself."""
        interpreter = Interpreter(self.project.script, self.exists, self.reaches)
        interpreter.run(facts.body, {}, script=path)
        return interpreter.commands

    def reaches(self, script: Script) -> bool:
        """Whether a script mentions pytest, or may run one of the tree that does."""
        return script.pytest or any(name == "" or self.named_reaches(name) for name in script.calls)

    def named_reaches(self, name: str) -> bool:
        if name not in self.reaching:
            self.reaching[name] = False  # for scripts that call each other
            facts = [self.project.script(path) for path in self.named.get(name, ())]
            self.reaching[name] = any(found is not None and self.reaches(found) for found in facts)
        return self.reaching[name]

    def job(self, path: str, workflow: Workflow, job: Job, entries: list[Entry]) -> Iterator[Run]:
        # What cannot reach pytest need not be interpreted at all.
        if not any(step.script and self.reaches(step.script) for step in job.steps):
            return
        seen = set()
        for variant in _variants(job):
            contexts: dict[str, Any] = {
                "matrix": dict(variant),
                "env": {},
                # A release branch takes other versions, not other tests.
                "github": {"workspace": ROOT, "ref": "refs/heads/main", "ref_name": "main"},
            }
            runner = self.conditions.fill(job.runner, contexts)
            found: list[tuple[Command, tuple[Gate, ...]]] = []
            scripts: dict[str, None] = {}
            for step in job.steps:
                if step.script is None or not self.reaches(step.script):
                    continue
                commands, called = self.step(workflow, job, step, contexts)
                scripts |= called
                gates = self.conditions.gates(path, workflow, job, step, entries, contexts) if commands else ()
                found += [(command, gates) for command in commands if gates]
            for command, gates in found:
                run = Run(
                    label=self.label(path, job),
                    variant=_shown(variant),
                    job=job.name,
                    workflow=path,
                    line=job.line,
                    script=command.script or path,
                    script_line=command.line,
                    gates=gates,
                    runner=runner,
                    gpus=gpus(runner) if command.devices is None else min(gpus(runner), command.devices),
                    folder=command.folder,
                    selection=command.selection,
                    scripts=tuple(scripts),
                )
                if run not in seen:
                    seen.add(run)
                    yield run

    def label(self, path: str, job: Job) -> str:
        """A job's name, with its workflow's where another workflow has a job of that name."""
        return f"{posixpath.basename(path).rpartition('.')[0]}: {job.name}" if job.name in self.shared else job.name

    def step(
        self, workflow: Workflow, job: Job, step: Step, contexts: dict[str, Any]
    ) -> tuple[list[Command], dict[str, None]]:
        interpreter = Interpreter(self.project.script, self.exists, self.reaches)
        variables = {"OSTYPE": "msys" if "windows" in job.runner.lower() else "linux-gnu", "GITHUB_WORKSPACE": ROOT}
        for pairs in (workflow.env, job.env, step.env):
            variables |= {name: self.conditions.fill(text, contexts) for name, text in pairs}
        for number, text in enumerate(step.expressions):
            variables[VARIABLE.format(number)] = self.conditions.fill("${{" + text + "}}", contexts)
        interpreter.run(step.script.body, variables, posixpath.normpath(step.folder) if step.folder else "")
        added = config(self.project)["addopts"]
        commands = []
        for command in interpreter.commands:
            if not command.script:
                command = command._replace(line=step.first + command.line - 1)
            if added:
                extra = selection(added, self.exists, lambda word: False)
                given = command.selection
                command = command._replace(
                    selection=given._replace(
                        keyword=given.keyword or extra.keyword,
                        marker=given.marker or extra.marker,
                        ignores=extra.ignores + given.ignores,
                        deselects=extra.deselects + given.deselects,
                        options=extra.options + given.options,
                    )
                )
            commands.append(command)
        return commands, interpreter.scripts


def _variants(job: Job) -> list[tuple[tuple[str, str], ...]]:
    """The rows of a matrix, in GitHub's order; one empty row where there is none."""
    axes = [[(name, value) for value in values] for name, values in job.matrix]
    rows = list(product(*axes)) if axes else []
    rows = [row for row in rows if not any(_agrees(row, left_out) for left_out in job.exclude)]
    extra = []
    for added in job.include:
        names = {name for name, _ in job.matrix}
        shared = [pair for pair in added if pair[0] in names]
        fits = [position for position, row in enumerate(rows) if all(pair in row for pair in shared)]
        if rows and fits:
            for position in fits:
                rows[position] = (*rows[position], *[pair for pair in added if pair[0] not in names])
        else:
            extra.append(added)
    return [*rows, *extra] or [()]


def _shown(variant: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The values that tell variants apart for a reader: not images, digests and other long texts."""
    return tuple([value for _, value in variant if value != "?" and "${{" not in value and len(value) <= 24])


def _agrees(row: tuple, wanted: tuple) -> bool:
    return all(pair in row for pair in wanted)
