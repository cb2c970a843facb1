"""What a test must find on its host so as not to skip itself: GPUs, packages, environment variables.

Read from its ``skipif`` conditions alone. A condition that is not understood asks for nothing.
"""

from __future__ import annotations

import ast
import posixpath
import re
from typing import NamedTuple

from ..facts.records import Assign
from . import Project
from .ci import Run, ci_folder, runs
from .jobs import refusal, runs_of
from .names import lookup
from .tests import Mark, Test, marks
from .worlds import dotted_name, parse

_HOPS = 4
# Distributions whose name does not hold the name that is imported.
_DISTRIBUTIONS = {
    "sklearn": "scikit-learn",
    "PIL": "pillow",
    "mujoco_playground": "playground",
    "pyspiel": "open_spiel",
    "yaml": "pyyaml",
    "cv2": "opencv",
    "git": "gitpython",
    "omegaconf": "hydra-core",
}


class Needs(NamedTuple):
    """All of these must be there.

    Args:
        gpus: how many.
        packages: as imported.
        variables: of the environment.
    """

    gpus: int = 0
    packages: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()

    def both(self, other: Needs) -> Needs:
        return Needs(max(self.gpus, other.gpus), self.packages | other.packages, self.variables | other.variables)

    def either(self, other: Needs) -> Needs:
        return Needs(min(self.gpus, other.gpus), self.packages & other.packages, self.variables & other.variables)


def needs(project: Project, test: Test) -> Needs:
    """What a test needs whatever its parameters are."""
    key = ("needs", test.path, test.symbol, test.line)
    if key not in project.memo:
        found = Needs()
        for mark in marks(project, test):
            if mark.name == "skipif" and mark.condition is not None:
                found = found.both(_when(project, mark.condition, False, mark, _HOPS))
        project.memo[key] = found
    return project.memo[key]


def verdicts(project: Project, test: Test) -> list[tuple[Run, str]]:
    """Every run whose paths select a test's file, with why it does not execute the test ("" where it may).

    Beyond what the command line says: GPUs that the host does not have, and packages that the job does not
    name although another job that takes the test does.
    """
    pairs = [(run, refusal(project, run, test)) for run in runs_of(project, test.path)]
    need = needs(project, test)
    if not need.gpus and not need.packages:
        return pairs
    taking = [run for run, reason in pairs if not reason]
    named = {package for package in need.packages if any(installs(project, run, package) for run in taking)}
    return [(run, reason or _lack(project, run, need.gpus, named)) for run, reason in pairs]


def _lack(project: Project, run: Run, gpus: int, packages: set[str]) -> str:
    if gpus > run.gpus:
        return f"skipped: needs {gpus} GPUs" if gpus > 1 else "skipped: needs a GPU"
    missing = sorted(package for package in packages if not installs(project, run, package))
    return f"skipped: needs {', '.join(missing)}" if missing else ""


def installs(project: Project, run: Run, package: str) -> bool:
    """Whether the scripts of a run's job, or files beside them, mention a package by name.

    What comes along with another package is not seen.
    """
    key = ("installs", run.scripts, run.script, package)
    if key not in project.memo:
        folders = {posixpath.dirname(path) for path in (*run.scripts, run.script)}
        project.memo[key] = any(mentions(project, folder, package) for folder in folders)
    return project.memo[key]


def named_in_ci(project: Project, name: str, *, alive: bool = False) -> bool:
    """Whether a workflow, script or environment file mentions a name.

    Args:
        alive: only what a job calls counts.
    """
    key = ("folders of ci", alive)
    if key not in project.memo:
        called = {path for run in runs(project) for path in (*run.scripts, run.script)}
        paths = called if alive else project.tree.paths(ci_folder(project), ".sh")
        project.memo[key] = {posixpath.dirname(path) for path in paths} | {project.profile["workflows"]}
    return any(mentions(project, folder, name) for folder in project.memo[key])


def mentions(project: Project, folder: str, package: str) -> bool:
    """Whether a file of a folder mentions a package, by the name imported or the distribution's."""
    text, words = _texts(project, folder)
    for name in {_plain(package), _plain(_DISTRIBUTIONS.get(package, package))}:
        parts = name.split("-")
        if words.issuperset(parts) and (len(parts) == 1 or name in text):
            return True
    return False


def _texts(project: Project, folder: str) -> tuple[str, set[str]]:
    """What stands in the files of a folder, comments left out: all of it, and its words."""
    key = ("texts", folder)
    if key not in project.memo:
        texts = []
        for path in project.tree.paths(folder):
            if posixpath.dirname(path) == folder and path.endswith((".sh", ".yml", ".yaml", ".txt", ".toml", ".bat")):
                texts.append(re.sub(r"(?m)(^|\s)#.*$", "", project.text(path) or ""))
        text = _plain("\n".join(texts))
        project.memo[key] = text, set(re.findall(r"[a-z0-9]+", text))
    return project.memo[key]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _when(project: Project, node: ast.expr | None, wanted: bool, mark: Mark, hops: int) -> Needs:
    """What an expression needs in order to be ``wanted``."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _when(project, node.operand, not wanted, mark, hops)
    if isinstance(node, ast.BoolOp):
        # "a or b" is false only when both are, "a and b" true likewise.
        every = isinstance(node.op, ast.And) == wanted
        parts = [_when(project, value, wanted, mark, hops) for value in node.values]
        found = parts[0]
        for part in parts[1:]:
            found = found.both(part) if every else found.either(part)
        return found
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _compared(project, node.left, node.ops[0], node.comparators[0], wanted, mark)
    dotted = dotted_name(node.func if isinstance(node, ast.Call) else node) if node is not None else None
    if not dotted:
        return Needs()
    if isinstance(node, ast.Call):
        named = _global(project, mark.path, dotted)
        if wanted and named == "torch.cuda.is_available":
            return Needs(gpus=1)
        if wanted and named in ("bool", "int") and len(node.args) == 1:
            return _when(project, node.args[0], wanted, mark, hops)
        return Needs(variables=_variable(project, node, mark.path)) if wanted else Needs()
    found = lookup(project, mark.path, dotted, mark.scope)
    if found is None or not isinstance(found.record, Assign) or found.others or hops <= 0:
        return Needs()
    inner = mark._replace(path=found.path, scope=found.record.scope)
    return _when(project, parse(found.record.value), wanted, inner, hops - 1)


def _compared(
    project: Project, left: ast.expr, operator: ast.cmpop, right: ast.expr, wanted: bool, mark: Mark
) -> Needs:
    if not isinstance(right, ast.Constant):
        return Needs()
    if isinstance(left, ast.Call):
        named = _global(project, mark.path, dotted_name(left.func) or "")
        probes = named in ("importlib.util.find_spec", "find_spec") and right.value is None
        if probes and isinstance(operator, (ast.IsNot, ast.Is)):
            there = isinstance(operator, ast.IsNot) == wanted
            given = left.args[0] if left.args else None
            if there and isinstance(given, ast.Constant) and isinstance(given.value, str):
                return Needs(packages=frozenset({given.value.partition(".")[0]}))
        if named == "torch.cuda.device_count" and type(right.value) is int:
            return Needs(gpus=_least(operator, right.value, wanted))
        if (isinstance(operator, ast.Eq) and wanted) or (isinstance(operator, ast.NotEq) and not wanted):
            return (
                Needs(variables=_variable(project, left, mark.path)) if right.value not in (None, "", "0") else Needs()
            )
    return Needs()


def _least(operator: ast.cmpop, bound: int, wanted: bool) -> int:
    """The least count for which ``count operator bound`` is ``wanted``; 0 where there is no such bound."""
    tests = {
        ast.Lt: lambda count: count < bound,
        ast.LtE: lambda count: count <= bound,
        ast.Gt: lambda count: count > bound,
        ast.GtE: lambda count: count >= bound,
        ast.Eq: lambda count: count == bound,
        ast.NotEq: lambda count: count != bound,
    }
    test = tests.get(type(operator))
    return next((count for count in range(64) if test and test(count) == wanted), 0)


def _variable(project: Project, node: ast.expr, path: str) -> frozenset[str]:
    """The environment variable that a call reads, without a default that would stand in for it."""
    if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
        return frozenset()
    named = _global(project, path, dotted_name(node.func) or "")
    default = node.args[1].value if len(node.args) > 1 and isinstance(node.args[1], ast.Constant) else None
    if named in ("os.environ.get", "os.getenv") and default in (None, "", "0", False, 0):
        return frozenset({str(node.args[0].value)})
    return frozenset()


def _global(project: Project, path: str, dotted: str) -> str:
    """A dotted name with its imports resolved, where it leaves the tree."""
    found = lookup(project, path, dotted) if dotted else None
    return found.name if found is not None and not found.path else dotted
