"""A test carries the gpu marker although it, or a part of it, runs without a GPU.

What it protects: the CPU side of the test. What is marked gpu is deselected on CPU hosts, so a test
that exercises both devices loses its CPU half, and one that needs no device at all waits for a scarce
runner. A missing marker costs more than a needless one: where a need for a GPU cannot be excluded
(pinned memory, compiled extensions, rendering, servers, a device passed in), nothing is said.

Bad:

    @pytest.mark.gpu
    @pytest.mark.parametrize("device", get_default_devices())
    def test_to(device):
        ...

Good:

    @pytest.mark.parametrize("device", get_default_devices())
    def test_to(device):
        ...

How to fix: take the marker (and a CUDA gate, if there is one) away, or move it into the
``pytest.param(..., marks=[...])`` of the rows that need CUDA, or split the test. Where the job that
collects the test uses no marker filter the marker is harmless, and this is an advisory.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..change import Change
from ..facts.records import Function
from ..finding import Finding
from ..project import Project, jobs
from ..project.gates import gates
from ..project.names import lookup
from ..project.tests import Mark, Test, fixtures, marks, names, row_marks, rows
from ..project.worlds import dotted_name
from ._tests import judged_tests

SUMMARY = "A test with the gpu marker, or a part of it, runs without a GPU"
SEVERITY = "warning"
SECTION = "7a"
REPEATABLE = True
NEEDS = ("tests", "workflows")

_DEVICE_LISTS = ("get_default_devices", "get_available_devices")
"""What they return always holds a device that the host has."""

# Names that may stand for a device or for something that is built for one.
_DEVICE = re.compile(
    r"cuda|nccl|triton|device|pin_?mem|pinned|compile|graph|stream|profil|pixel|render|egl|vllm|_torchrl$", re.I
)
_DEVICE_TEXT = re.compile(r"(?<![-_a-z])(cuda|nccl|triton|gpu)", re.I)
_SERVED = re.compile(r"server|engine|instance|model|cluster|remote", re.I)
"""Fixtures of such a name may start something that sits on a GPU."""
_QUESTIONS = ("torch.cuda.is_available", "torch.cuda.device_count")
_MOVES = ("to", "half", "bfloat16", "autocast", "share_memory_")
_DEPTH = 4


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    marker = project.profile["gpu"]["marker"]
    for test in judged_tests(change):
        found = [mark for mark in marks(project, test) if mark.name == marker]
        if found and not test.unresolved and (said := _judge(project, test, found[0])):
            yield _finding(project, test, found[0], marker, *said)


def _judge(project: Project, test: Test, mark: Mark) -> tuple[str, str] | None:
    """What is wrong with the marker and what to do, or None."""
    own = marks(project, test)
    gated = gates(project, test)
    source = _Source(project)
    if not gated:
        both = next((item for item in own if item.name == "parametrize" and _both_devices(item)), None)
        if both is None or source.needs_device(test, but_for=both):
            return None
        return (
            f"its devices come from {_called(both)}, so it also runs on a CPU host, where the marker deselects it",
            f"Take @pytest.mark.{mark.name} away.",
        )
    if any(_both_devices(item) for item in own if item.name == "parametrize"):
        return None
    for item in own:
        if (
            item.name == "parametrize"
            and (mixed := _mixed_rows(project, item))
            and not source.needs_device(test, but_for=item)
        ):
            return (
                f"its parameter {', '.join(names(item))} has a row for the CPU ({mixed}), which the marker and the gate take from CPU hosts",
                "Move the marker and the gate into the marks of the rows that need CUDA.",
            )
    if source.needs_device(test, but_for=None):
        return None
    return (
        "neither its body nor the fixtures and helpers that it uses place anything on a device",
        f"Take @pytest.mark.{mark.name} and the CUDA gate away, or use the device.",
    )


def _finding(project: Project, test: Test, mark: Mark, marker: str, message: str, hint: str) -> Finding:
    certain = "get_" in message
    severity = "error" if certain else "warning"
    if any(jobs.exempts(project, run, test.path, test.symbol, (marker,)) for run in jobs.runs(project)):
        severity = "advisory"
        message += "; harmless here, since its own job selects it without a marker filter"
    return Finding(
        test.path,
        test.line,
        test.symbol,
        f"marked {marker}, but {message}",
        hint,
        text=f"{mark.owner} {marker}",
        severity=severity,
        verify=f'python -m pytest -q -m "not {marker}" "{test.path}::{test.symbol}"',
    )


def _both_devices(parametrize: Mark) -> bool:
    """Whether the rows are the host's own devices."""
    call = parametrize.call
    values = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "argvalues")] if call else []
    return any(
        isinstance(node, ast.Call) and dotted_name(node.func).rpartition(".")[2] in _DEVICE_LISTS for node in values
    )


def _called(parametrize: Mark) -> str:
    values = [
        *parametrize.call.args[1:2],
        *(word.value for word in parametrize.call.keywords if word.arg == "argvalues"),
    ]
    return f"{dotted_name(values[0].func).rpartition('.')[2]}()"


def _mixed_rows(project: Project, parametrize: Mark) -> str:
    """Source of a row for the CPU, where the one parameter's other rows are for CUDA."""
    found = rows(parametrize) or []
    if len(names(parametrize)) != 1 or any(row_marks(project, row, parametrize) for row in found):
        return ""
    texts = [ast.unparse(row) for row in found]
    plain = [text for text in texts if text in ("'cpu'", "torch.device('cpu')")]
    return plain[0] if plain and any("cuda" in text for text in texts) else ""


class _Source:
    """Reads the bodies of functions, since facts do not keep what a body does."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def needs_device(self, test: Test, but_for: Mark | None) -> bool:
        """Whether a need for a device cannot be excluded.

        Args:
            but_for: a parametrize mark whose parameters are known to allow a CPU.
        """
        if test.function.flow == (("skip",),):
            return False
        known = set(names(but_for)) if but_for is not None else set()
        for mark in marks(self.project, test):
            if mark is but_for or mark.call is None or mark.name in ("skipif", "skip", "usefixtures"):
                continue
            if _speaks(mark.call, known):
                return True
        parameters = {parameter.name for parameter in test.function.parameters} - known
        if any(_DEVICE.search(name) or _SERVED.search(name) for name in parameters):
            return True
        if self._places(test.home, test.function, known, _DEPTH):
            return True
        requested = fixtures(self.project, test, automatic=False)
        return any(self._places(path, function, known, _DEPTH, asking=True) for path, function in requested)

    def _places(self, path: str, function: Function, known: set[str], depth: int, asking: bool = False) -> bool:
        """Whether a function may place something; ``asking`` whether there is CUDA is no need of a fixture for it."""
        node = self._body(path, function)
        if node is None or depth <= 0:
            return True
        if asking:
            node = _without_questions(node)
        if any(_speaks(statement, known) for statement in node.body):
            return True
        for call in ast.walk(node):
            if not isinstance(call, ast.Call) or not (dotted := dotted_name(call.func)):
                continue
            owner = function.qualname.rpartition(".")[0]
            if dotted.startswith("self.") and owner:
                found = lookup(self.project, path, f"{owner}.{dotted.removeprefix('self.')}")
            else:
                found = lookup(self.project, path, dotted, owner)
            if (
                found is None
                or not isinstance(found.record, Function)
                or not found.path.startswith(self.project.profile["tests"] + "/")
            ):
                continue
            if self._places(found.path, found.record, known, depth - 1):
                return True
        return False

    def _body(self, path: str, function: Function) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        text = self.project.text(path)
        if text is None:
            return None
        lines = text.splitlines(keepends=True)[function.line - 1 : function.end_line]
        try:
            # Indented code stands as it is under an "if".
            tree = ast.parse("if True:\n" + "".join(lines) if lines[0][:1].isspace() else "".join(lines))
        except (SyntaxError, ValueError, IndexError):
            return None
        node = tree.body[0].body[0] if isinstance(tree.body[0], ast.If) else tree.body[0]
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        return node


def _without_questions(node: ast.AST) -> ast.AST:
    class Drop(ast.NodeTransformer):
        def visit_Call(self, call: ast.Call) -> ast.AST:
            return ast.Constant(None) if dotted_name(call.func) in _QUESTIONS else self.generic_visit(call)

    return Drop().visit(node)


def _speaks(node: ast.AST, known: set[str]) -> bool:
    """Whether code names, moves to or asks about a device; passing a count of GPUs on as data does not."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            name = part.id
        elif isinstance(part, ast.Attribute):
            name = part.attr
            if name in _MOVES:
                return True
        elif isinstance(part, ast.keyword):
            name = "" if part.arg in known or part.arg is None or _is_cpu(part.value) else part.arg
        elif isinstance(part, ast.alias):
            name = part.name
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            if _DEVICE_TEXT.search(part.value):
                return True
            continue
        else:
            continue
        if name not in known and _DEVICE.search(name):
            return True
    return False


def _is_cpu(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in ("cpu", None)
