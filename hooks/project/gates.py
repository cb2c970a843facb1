"""What keeps a test from running on a host without a GPU."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from ..facts.records import Function
from . import Project
from .tests import Mark, Test, fixtures, marks, may_skip_by_fixture, names, row_marks, rows, setups
from .worlds import UNKNOWN, Outcome, Scope, World, evaluate, is_reached, outcomes, truth


class Gate(NamedTuple):
    """One reason why a test is skipped without a GPU and may run with one.

    Args:
        kind: "mark", "body", "fixture", "guard" (defined under an ``if``) or "row".
        owner: what is gated: "function", "class" or "module"; the fixture's name for a fixture.
        text: the condition, for people and to tell one gate from another.
        path, line: where the gate is.
        mark: the mark, for a mark or a row.
        row: (position of the row, the row) for a row.
    """

    kind: str
    owner: str
    text: str
    path: str
    line: int
    mark: Mark | None = None
    row: tuple[int, ast.expr] | None = None


def gates(project: Project, test: Test) -> list[Gate]:
    """Gates of a whole test: marks at any scope, a body or a fixture of which every path skips."""
    found = [
        Gate("mark", mark.owner, text, mark.path, mark.line, mark)
        for mark in marks(project, test)
        if (text := _gating(project, mark))
    ]
    found += _guards(project, test)
    if test.function.flow and _skips(project, test.home, test.function):
        found.append(Gate("body", "function", _condition(test.function.flow), test.home, test.function.line))
    module = project.module(test.path)
    if module.flow and _all_skip(module.flow, Scope(project, test.path), returning=False):
        found.append(Gate("body", "module", _condition(module.flow), test.path, 1))
    requested = fixtures(project, test) if may_skip_by_fixture(project, test) else []
    for path, function in [*requested, *setups(project, test)]:
        if function.flow and _skips(project, path, function, returning=False):
            found.append(Gate("fixture", function.name, _condition(function.flow), path, function.line))
    return found


def row_gates(project: Project, test: Test) -> list[Gate]:
    """Gates of single parameter rows, by their own marks."""
    found = []
    for mark in marks(project, test):
        # No row has a mark of its own where the word is not written.
        if mark.name != "parametrize" or "marks" not in mark.text:
            continue
        for position, row in enumerate(rows(mark) or ()):
            for own in row_marks(project, row, mark):
                if text := _gating(project, own):
                    found.append(
                        Gate("row", mark.owner, text, mark.path, mark.line + row.lineno - 1, mark, (position, row))
                    )
    return found


def body_rows(project: Project, test: Test) -> list[Gate]:
    """Parameter rows for which the body skips without a GPU, as far as their values are written out."""
    flow = test.function.flow
    if not flow or "skip" not in str(flow) or "cuda" not in str(flow):
        return []
    found = []
    for mark in marks(project, test):
        if mark.name != "parametrize":
            continue
        for position, row in enumerate(rows(mark) or ()):
            values = _row_values(row, names(mark), Scope(project, mark.path, mark.scope))
            if values and _skips(project, test.home, test.function, values):
                found.append(
                    Gate(
                        "row",
                        mark.owner,
                        _condition(flow),
                        mark.path,
                        mark.line + row.lineno - 1,
                        mark,
                        (position, row),
                    )
                )
    return found


def _gating(project: Project, mark: Mark) -> str:
    """The condition of a skipif that holds on a CPU host and may not hold on a GPU host, else ""."""
    if mark.name != "skipif":
        return ""
    key = ("gating", mark.path, mark.scope, mark.text, mark.values, mark.negated)
    if key not in project.memo:
        condition = mark.condition
        scope = Scope(project, mark.path, mark.scope, dict(mark.values))
        skips = condition is not None and truth(evaluate(condition, scope, World.CPU)) is True
        gating = skips and truth(evaluate(condition, scope, World.GPU)) is not True
        project.memo[key] = ast.unparse(condition) if gating else ""
    return project.memo[key]


def _skips(
    project: Project, path: str, function: Function, values: dict[str, Any] | None = None, returning: bool = True
) -> bool:
    """Whether every path skips before anything is checked on a CPU host, and not every one on a GPU host.

    Args:
        values: of parameters.
        returning: a return that comes first is a skip in disguise, in a test; a fixture returns its value.
    """
    # Thousands of tests ask for the same few fixtures.
    key = ("skips", path, function.qualname, function.line, returning)
    if values or key not in project.memo:
        known = {**{parameter.name: UNKNOWN for parameter in function.parameters}, **(values or {})}
        found = _all_skip(function.flow, Scope(project, path, function.qualname, known), returning)
        if values:
            return found
        project.memo[key] = found
    return project.memo[key]


def _all_skip(flow: tuple, scope: Scope, returning: bool) -> bool:
    def is_skip(outcome: Outcome) -> bool:
        if outcome.kind == "skip":
            return not outcome.checked
        return returning and outcome.kind == "return" and not outcome.worked

    without = outcomes(flow, scope, World.CPU)
    return bool(without) and all(map(is_skip, without)) and not all(map(is_skip, outcomes(flow, scope, World.GPU)))


def _guards(project: Project, test: Test) -> list[Gate]:
    """A test or class that exists only where there is a GPU."""
    # A method stands under the conditions of its class, so the class comes first.
    owners = [*(("class", path, cls) for path, cls in test.classes[:1]), ("function", test.home, test.function)]
    found = []
    for kind, path, owner in owners:
        if not owner.guards:
            continue
        scope = Scope(project, path)
        if (
            is_reached(owner.guards, scope, World.CPU) is False
            and is_reached(owner.guards, scope, World.GPU) is not False
        ):
            found.append(Gate("guard", kind, owner.guards[-1], path, owner.line))
    return found


def _condition(flow: tuple) -> str:
    """The first condition of a flow that speaks of an accelerator."""
    for statement in flow:
        if statement[0] == "if":
            if any(word in statement[1] for word in ("cuda", "triton", "nccl", "gpu", "device")):
                return " ".join(statement[1].split())
        for part in statement[1:]:
            if isinstance(part, tuple) and (found := _condition(part)):
                return found
    return ""


def _row_values(row: ast.expr, parameters: tuple[str, ...], scope: Scope) -> dict[str, Any]:
    if isinstance(row, ast.Call):
        values = row.args  # pytest.param
    elif len(parameters) > 1:
        values = row.elts if isinstance(row, (ast.List, ast.Tuple)) else []
    else:
        values = [row]
    if len(values) != len(parameters):
        return {}
    return {name: evaluate(value, scope, World.CPU) for name, value in zip(parameters, values)}
