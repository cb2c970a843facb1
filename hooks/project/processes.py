"""Which tests start processes of their own, and which runs of CI give their files to many workers at once."""

from __future__ import annotations

import ast
import re

from ..facts.source import walk
from . import Project
from .bodies import body
from .ci import Run, runs
from .jobs import collects_file
from .names import lookup
from .tests import Test, fixtures, marks
from .worlds import dotted_name

_STARTING = frozenset(
    (
        "multiprocessing.Process",
        "multiprocessing.Pool",
        "torch.multiprocessing.Process",
        "torch.multiprocessing.Pool",
        "torch.multiprocessing.spawn",
        "concurrent.futures.ProcessPoolExecutor",
        "subprocess.Popen",
        "ray.init",
    )
)
_SHARED = 2
"""A list of fewer files is no list of files that must not run among others."""


def starts(project: Project, test: Test) -> str:
    """What a test calls that starts processes, in its body, its parameters or a fixture that it asks for; "" if nothing."""
    for parameter in test.function.parameters:
        if parameter.name in project.profile["starts-processes"]:
            return parameter.name
    for mark in marks(project, test):
        if mark.name == "parametrize" and (found := _among(project, mark.path, mark.scope, mark.call, called=False)):
            return found
    places = [(test.home, test.function), *fixtures(project, test, automatic=False)]
    for path, function in places:
        if found := _among(project, path, function.qualname, body(project, path, function), called=True):
            return found
    return ""


def speaks_of_processes(project: Project, path: str) -> bool:
    """Whether a file has anything to do with processes, in whatever words."""
    names = "|".join(map(re.escape, project.profile["starts-processes"]))
    return re.search(rf"(?i)process|\b(?:ray|mp)\b|{names or 'process'}", project.text(path) or "") is not None


def crowded(project: Project, path: str) -> tuple[Run, Run] | None:
    """A run that gives a file to several workers, and the serial run of the same script whose files it leaves out; or None."""
    for run in _parallel(project):
        if collects_file(project, run, path):
            for other in runs(project):
                apart = set(other.selection.paths) & set(run.selection.ignores)
                if other.script == run.script and len(apart) >= _SHARED and apart == set(other.selection.paths):
                    if "-n" not in other.selection.options:
                        return run, other
    return None


def _parallel(project: Project) -> list[Run]:
    key = ("parallel runs",)
    if key not in project.memo:
        project.memo[key] = [run for run in runs(project) if "-n" in run.selection.options and run.selection.ignores]
    return project.memo[key]


def _among(project: Project, path: str, scope: str, root: ast.AST | None, called: bool) -> str:
    if isinstance(root, (ast.FunctionDef, ast.AsyncFunctionDef)):
        root.decorator_list = []
    known = set(project.profile["starts-processes"])
    for node in walk(root):
        target = node.func if isinstance(node, ast.Call) else None if called else node
        dotted = dotted_name(target) if isinstance(target, (ast.Name, ast.Attribute)) else None
        if dotted is None:
            continue
        found = lookup(project, path, dotted, scope)
        if found is None:
            continue
        name = found.name.rpartition(".")[2]
        if (found.path and name in known) or (not found.path and found.name in _STARTING):
            return dotted
    return ""
