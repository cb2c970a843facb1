"""What labels do: the jobs that wait for one, the label of a title's tag, and labels that are wanted but that nothing sets."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from . import Project, github
from .ci import Run, ci_folder, runs
from .events import PULL_REQUEST
from .tests import is_test_file

_FOLDS = re.compile(r",,\}|nocasematch|\[:lower:\]")
"""How a shell script takes capital letters for small ones."""


class Gating(NamedTuple):
    """A condition of a job that asks for a label.

    Args:
        exact: one label is compared as a whole; else the text may stand anywhere in all labels joined.
        line: the job's.
    """

    label: str
    workflow: str
    job: str
    line: int
    exact: bool
    negated: bool


class Title(NamedTuple):
    """The label of a title's tag; ``path`` and ``line`` say where that is written.

    Args:
        folded: letters count whether they are small or capital.
    """

    tag: str
    label: str
    path: str
    line: int
    folded: bool = False

    def accepts(self, tag: str) -> bool:
        """Whether a title with a tag gets the label."""
        return tag.lower() == self.tag.lower() if self.folded else tag == self.tag


def gating(project: Project) -> list[Gating]:
    """Every condition on a label, in the order of the files."""
    if "gating" not in project.memo:
        project.memo["gating"] = list(_gating(project))
    return project.memo["gating"]


def gated(project: Project, label: str) -> tuple[str, ...]:
    """The jobs that a label brings to a pull request, with their workflow where a job of another one has the name."""
    homes = Counter(job.name for _, workflow in _workflows(project) for job in workflow.jobs)
    return tuple(
        dict.fromkeys(
            f"{posixpath.basename(item.workflow).rpartition('.')[0]}: {item.job}" if homes[item.job] > 1 else item.job
            for item in gating(project)
            if not item.negated
            and (item.label.lower() == label.lower() if item.exact else item.label.lower() in label.lower())
        )
    )


def forgotten(project: Project, files: list[str], known: list[str]) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """(label, files, reason) of labels that the labeler does not set although only they bring the jobs of changed files.

    These are tests that only such jobs take, and the scripts and environments of such jobs.

    Args:
        known: labels that are set anyway; what they start needs no other.
    """
    # These have rules of their own.
    suites = {suite["label"] for suite in project.profile["suites"].values()}
    found: dict[str, dict[str, Run]] = {}
    for path in files:
        concerned = _waiting(project, path)
        if concerned and not any(starts(label, run) for label in known for run in concerned):
            common = set.intersection(*[set(_labels(run)) for run in concerned]) - suites
            if common:
                found.setdefault(max(sorted(common), key=len), {}).setdefault(path, concerned[0])
    for label, paths in found.items():
        run = next(iter(paths.values()))
        yield label, tuple(paths), f"only {run.label} ({run.workflow}) runs it"


def starts(label: str, run: Run) -> bool:
    """Whether a label brings a run to a pull request; "llm/*" stands for any label with "llm/" in it."""
    gate, name = run.on(PULL_REQUEST), label.lower()
    return gate is not None and any(
        each[:-1].lower() in name if each.endswith("*") else each.lower() == name for each in gate.labels
    )


def titled(project: Project, title: str) -> Title | None:
    """The label that a workflow gives for the tag at the start of a title; None where none does."""
    found = re.match(r"\[([^\]]+)\]", title)
    return next((item for item in tags(project) if found and item.accepts(found[1])), None)


def tags(project: Project) -> list[Title]:
    """Every arm of a ``case`` that sets a label, in the workflows that read the tags of titles."""
    if "tags" not in project.memo:
        found = []
        for path, workflow in _workflows(project):
            if path in project.profile["title-tags"]:
                folded = _FOLDS.search(project.text(path) or "") is not None
                for job in workflow.jobs:
                    for step in job.steps:
                        if step.script is not None:
                            found += [
                                Title(tag, label, path, step.first + line - 1, folded)
                                for tag, label, line in _arms(step.script.body)
                            ]
        project.memo["tags"] = found
    return project.memo["tags"]


def _workflows(project: Project) -> Iterator[tuple[str, Any]]:
    folder = project.profile["workflows"]
    for path in project.tree.paths(folder):
        if path.endswith((".yml", ".yaml")) and posixpath.dirname(path) == folder:
            facts = project.workflow(path)
            if facts is not None and facts.failure is None:
                yield path, facts


def _gating(project: Project) -> Iterator[Gating]:
    for path, workflow in _workflows(project):
        for job in workflow.jobs:
            for text in dict.fromkeys((job.condition, *[step.condition for step in job.steps])):
                if "labels" not in text:
                    continue
                try:
                    tree = github.parse(text)
                except (github.ExpressionError, RecursionError):
                    continue
                for label, exact, negated in dict.fromkeys(_asked(tree, False)):
                    yield Gating(label, path, job.name, job.line, exact, negated)


def _asked(tree: Any, negated: bool) -> Iterator[tuple[str, bool, bool]]:
    """(label, exact, negated) of each ``contains`` on the labels of a pull request."""
    if not isinstance(tree, tuple):
        return
    if tree[0] == "call" and tree[1] == "contains" and len(tree[2]) == 2 and _mentions_labels(tree[2][0]):
        wanted = tree[2][1]
        if wanted[0] == "value" and isinstance(wanted[1], str):
            # ", label, " in all labels between separators is a comparison of the whole label.
            inner = wanted[1].strip(" ,")
            yield inner, tree[2][0][0] != "call" or inner != wanted[1], negated
        return
    for part in tree[2] if tree[0] == "call" else tree[1:]:
        yield from _asked(part, negated != (tree[0] == "!"))


def _mentions_labels(tree: Any) -> bool:
    return isinstance(tree, tuple) and (
        tree == ("value", "labels")
        or any(_mentions_labels(part) for part in (tree[2] if tree[0] == "call" else tree[1:]))
    )


def _concerns(project: Project, path: str) -> bool:
    return is_test_file(path, project.profile["tests"]) or (
        path.startswith(ci_folder(project) + "/") and not path.startswith(project.profile["workflows"] + "/")
    )


def _waiting(project: Project, path: str) -> list[Run]:
    """The runs of a pull request that a change to a file concerns, where all of them wait for a label."""
    if not _concerns(project, path):
        return []
    if path.startswith(ci_folder(project) + "/"):
        folder = posixpath.dirname(path)
        concerned = [
            run
            for run in runs(project)
            if any(posixpath.dirname(script) == folder for script in (run.script, *run.scripts))
        ]
    else:
        from .jobs import runs_of

        concerned = runs_of(project, path)
    concerned = [run for run in concerned if run.on(PULL_REQUEST)]
    return concerned if all(_labels(run) for run in concerned) else []


def _labels(run: Run) -> tuple[str, ...]:
    return tuple([label.rstrip("*") for label in run.on(PULL_REQUEST).labels])


def _arms(body: tuple) -> Iterator[tuple[str, str, int]]:
    """(pattern, what it sets, line) of the arms of all ``case`` commands in a body."""
    for node in body:
        if node[0] == "case":
            for patterns, arm in node[3]:
                for command in arm:
                    if command[0] == "set" and command[3] and isinstance(command[3][0][2], str):
                        for pattern in patterns:
                            if isinstance(pattern, str) and pattern != "*":
                                yield pattern, command[3][0][2], command[1]
        elif node[0] in ("if", "for", "while", "group", "subshell", "and", "or", "function"):
            for part in node[1:]:
                if isinstance(part, tuple):
                    yield from _arms(
                        tuple([each for each in part if isinstance(each, tuple) and each and isinstance(each[0], str)])
                    )
