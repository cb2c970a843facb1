"""What an expression or a function answers on a host without a GPU, and on one with.

A small partial evaluator: constants, ``not``/``and``/``or``, comparisons, conditional expressions,
list displays, names and helper functions followed to their definitions. Everything else is
``UNKNOWN``, and what is unknown decides nothing.
"""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

from ..facts.records import Assign, Function
from . import Project
from .names import Definition, lookup


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"

    def __bool__(self) -> bool:
        raise TypeError("truth of UNKNOWN")


UNKNOWN = _Unknown()


class _AtLeastOne:
    """A count of which only is known that it is not zero."""


AT_LEAST_ONE = _AtLeastOne()


class World(Enum):
    """The two kinds of host that CI has. Neither has Apple's MPS."""

    CPU = "a host without a GPU"
    GPU = "a host with one GPU or more"


_CALLS = {
    "torch.cuda.is_available": {World.CPU: False, World.GPU: True},
    "torch.cuda.device_count": {World.CPU: 0, World.GPU: AT_LEAST_ONE},
    "torch.cuda.is_bf16_supported": {World.CPU: False, World.GPU: UNKNOWN},
    "torch.accelerator.is_available": {World.CPU: False, World.GPU: True},
    "torch.accelerator.device_count": {World.CPU: 0, World.GPU: AT_LEAST_ONE},
    "torch.accelerator.current_accelerator": {World.CPU: None, World.GPU: UNKNOWN},
    "torch.backends.cuda.is_built": {World.CPU: False, World.GPU: True},
    "torch.backends.cudnn.is_available": {World.CPU: False, World.GPU: True},
    "torch.distributed.is_nccl_available": {World.CPU: False, World.GPU: UNKNOWN},
    "torch.backends.mps.is_available": {World.CPU: False, World.GPU: False},
    "torch.mps.is_available": {World.CPU: False, World.GPU: False},
    "torch.mps.device_count": {World.CPU: 0, World.GPU: 0},
}
_ATTRIBUTES = {
    "torch.has_cuda": {World.CPU: False, World.GPU: True},
    "torch.has_mps": {World.CPU: False, World.GPU: False},
    "torch.version.cuda": {World.CPU: None, World.GPU: UNKNOWN},
}
_COMPARISONS = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_MIRRORED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
_TRANSPARENT = ("cache", "lru_cache", "implement_for")
"""Decorators that leave a helper's answer what it is."""
_DEPTH = 12
_PATHS = 256
_LEVELS = 100
_LONG = 2 * _LEVELS
"""Shorter texts are not nested deeply enough to matter."""


class Outcome(NamedTuple):
    """How one path through a function ends.

    Args:
        kind: "skip", "return", "raise" or "end".
        value: what is returned.
        checked: something was asserted on the way.
        worked: something was done on the way, beyond naming values.
    """

    kind: str
    value: Any
    checked: bool
    worked: bool


class Scope(NamedTuple):
    """Where an expression stands: names are looked up in its locals, then in its file."""

    project: Project
    path: str
    name: str = ""
    values: Mapping[str, Any] = {}


@lru_cache(maxsize=1 << 16)
def parse(text: str) -> ast.expr | None:
    """The expression of a record's text; None where it is none (a star expression, say) or nested too deeply."""
    try:
        node = ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return node if len(text) < _LONG or _is_shallow(node) else None


def _is_shallow(node: ast.expr) -> bool:
    """Whether nothing is nested so deeply that a recursive function would not come back from it."""
    level: list[ast.AST] = [node]
    for _ in range(_LEVELS):
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
        if not level:
            return True
    return False


def evaluate(node: ast.expr | None, scope: Scope, world: World, depth: int = _DEPTH) -> Any:
    """Value of an expression on a host, or UNKNOWN.

    Lists and tuples become tuples; their elements may be UNKNOWN.
    """
    if node is None or depth <= 0:
        return UNKNOWN
    method = _EVALUATE.get(type(node))
    return method(node, scope, world, depth - 1) if method else UNKNOWN


def truth(value: Any) -> bool | None:
    """True, False, or None where it is not known."""
    if value is UNKNOWN:
        return None
    return True if value is AT_LEAST_ONE else bool(value)


def outcomes(flow: tuple, scope: Scope, world: World, depth: int = _DEPTH) -> list[Outcome]:
    """All ways in which a body may end on a host; an unknown condition takes both.

    Returns:
        Outcomes; empty where there are too many paths to follow.
    """
    paths = list(itertools.islice(_run(flow, dict(scope.values), False, False, scope, world, depth), _PATHS + 1))
    return [] if len(paths) > _PATHS else [path[0] for path in paths]


def _run(
    statements: tuple, values: dict[str, Any], checked: bool, worked: bool, scope: Scope, world: World, depth: int
) -> Iterator[tuple[Outcome, dict[str, Any]]]:
    for position, statement in enumerate(statements):
        kind, rest = statement[0], statements[position + 1 :]
        here = scope._replace(values=values)
        if kind == "set":
            values = {
                **values,
                statement[1]: evaluate(parse(statement[2]), here, world, depth) if statement[2] else UNKNOWN,
            }
        elif kind == "check":
            checked = worked = True
        elif kind == "do":
            worked = True
        elif kind in ("skip", "raise"):
            yield Outcome(kind, None, checked, worked), values
            return
        elif kind == "return":
            value = evaluate(parse(statement[1]), here, world, depth) if statement[1] else None
            yield Outcome(kind, value, checked, worked), values
            return
        else:
            for branch, certain in _branches(statement, here, world, depth):
                for outcome, after in _run(branch, values, checked, worked, scope, world, depth):
                    if outcome.kind == "end":
                        if not certain:
                            # After a loop or a try, what was set in it may or may not have been.
                            after = {
                                name: value if values.get(name, UNKNOWN) is value else UNKNOWN
                                for name, value in after.items()
                            }
                        yield from _run(rest, after, outcome.checked, outcome.worked, scope, world, depth)
                    else:
                        yield outcome, after
            return
    yield Outcome("end", None, checked, worked), values


def _branches(statement: tuple, scope: Scope, world: World, depth: int) -> Iterator[tuple[tuple, bool]]:
    if statement[0] == "if":
        decided = truth(evaluate(parse(statement[1]), scope, world, depth))
        if decided is not False:
            yield statement[2], True
        if decided is not True:
            yield statement[3], True
    elif statement[0] == "try":
        _, body, handlers, orelse, final = statement
        yield (*body, *orelse, *final), False
        for handler in handlers:
            yield (*handler[1], *final), False
    else:
        yield statement[1], False
        yield (), False


def _name(node: ast.Name, scope: Scope, world: World, depth: int) -> Any:
    if node.id in scope.values:
        return scope.values[node.id]
    return _dotted(node, scope, world, depth)


def _dotted(node: ast.expr, scope: Scope, world: World, depth: int) -> Any:
    dotted = dotted_name(node)
    if not dotted or dotted.partition(".")[0] in scope.values:
        return UNKNOWN
    found = lookup(scope.project, scope.path, dotted, scope.name)
    if found is None:
        return UNKNOWN
    if not found.path:
        return _ATTRIBUTES.get(found.name, {}).get(world, UNKNOWN)
    if isinstance(found.record, Assign) and found.name == found.record.name:
        return _assigned(found, scope.project, world, depth)
    return UNKNOWN


def _assigned(found: Definition, project: Project, world: World, depth: int) -> Any:
    """Value of a module-level name that may be assigned several times, under conditions."""
    possible: list[Any] = []
    for record in (*found.others, found.record):
        if not isinstance(record, Assign) or record.op != "=":
            return UNKNOWN
        scope = Scope(project, found.path, record.scope)
        reached = is_reached(record.guards, scope, world, depth)
        if reached is False:
            continue
        value = evaluate(parse(record.value), scope, world, depth) if record.value else UNKNOWN
        possible = [value] if reached else [*possible, value]
    return _same(possible)


def is_reached(guards: tuple[str, ...], scope: Scope, world: World, depth: int = _DEPTH) -> bool | None:
    """Whether a statement under these guards is executed; None where it is not known."""
    certain: bool | None = True
    for guard in guards:
        kind, _, test = guard.partition(" ")
        decided = truth(evaluate(parse(test), scope, world, depth)) if kind in ("if", "else") else None
        if decided is not None and kind == "else":
            decided = not decided
        if decided is False:
            return False
        certain = certain if decided else None
    return certain


def _call(node: ast.Call, scope: Scope, world: World, depth: int) -> Any:
    dotted = dotted_name(node.func)
    if not dotted or dotted.partition(".")[0] in scope.values:
        return UNKNOWN
    if dotted in ("bool", "len", "any", "all") and len(node.args) == 1 and not node.keywords:
        return _builtin(dotted, evaluate(node.args[0], scope, world, depth))
    found = lookup(scope.project, scope.path, dotted, scope.name)
    if found is None:
        return UNKNOWN
    if not found.path:
        return _CALLS.get(found.name, {}).get(world, UNKNOWN)
    return _same(
        [
            value
            for function in (*found.others, found.record)
            for value in _answers(function, found, node, scope, world, depth)
        ]
    )


def _answers(function: Any, found: Definition, node: ast.Call, scope: Scope, world: World, depth: int) -> list[Any]:
    """What one definition of a helper may return; several definitions are versions of it."""
    if not isinstance(function, Function) or found.name != function.qualname or function.is_async:
        return [UNKNOWN]
    if any(item.text.split("(")[0].rpartition(".")[2] not in _TRANSPARENT for item in function.decorators):
        return [UNKNOWN]
    inside = Scope(scope.project, found.path, function.qualname, _bound(node, function, scope, world, depth))
    ends = outcomes(function.flow, inside, world, depth) if function.flow else []
    return [end.value if end.kind == "return" else None for end in ends if end.kind != "raise"] or [UNKNOWN]


def _same(values: list[Any]) -> Any:
    """The value that all agree on, or UNKNOWN."""
    first = values[0] if values else UNKNOWN
    return first if all(value is first or (value is not UNKNOWN and value == first) for value in values) else UNKNOWN


def _bound(node: ast.Call, function: Function, scope: Scope, world: World, depth: int) -> dict[str, Any]:
    values: dict[str, Any] = {}
    positional = iter(node.args)
    given = {word.arg: word.value for word in node.keywords}
    inner = Scope(scope.project, scope.path)
    for parameter in function.parameters:
        if parameter.kind in ("/", "") and (argument := next(positional, None)) is not None:
            values[parameter.name] = evaluate(argument, scope, world, depth)
        elif parameter.name in given:
            values[parameter.name] = evaluate(given[parameter.name], scope, world, depth)
        else:
            default = parse(parameter.default) if parameter.default is not None else None
            values[parameter.name] = (
                evaluate(default, inner, world, depth) if isinstance(default, ast.Constant) else UNKNOWN
            )
    return values


def _builtin(name: str, value: Any) -> Any:
    if name == "bool":
        decided = truth(value)
        return UNKNOWN if decided is None else decided
    if not isinstance(value, (tuple, str)):
        return UNKNOWN
    if name == "len":
        return len(value)
    truths = [truth(item) for item in value]
    if name == "any":
        return True if True in truths else UNKNOWN if None in truths else False
    return False if False in truths else UNKNOWN if None in truths else True


def _logical(node: ast.BoolOp, scope: Scope, world: World, depth: int) -> Any:
    """``or`` gives the first true value, ``and`` the first false one, even after something unknown."""
    decisive = isinstance(node.op, ast.Or)
    unknown = False
    value: Any = UNKNOWN
    for operand in node.values:
        value = evaluate(operand, scope, world, depth)
        decided = truth(value)
        if decided is decisive:
            return decisive if unknown else value
        unknown = unknown or decided is None
    return UNKNOWN if unknown else value


def _not(node: ast.UnaryOp, scope: Scope, world: World, depth: int) -> Any:
    value = evaluate(node.operand, scope, world, depth)
    if isinstance(node.op, ast.USub) and type(value) in (int, float):
        return -value
    decided = truth(value) if isinstance(node.op, ast.Not) else None
    return UNKNOWN if decided is None else not decided


def _compare(node: ast.Compare, scope: Scope, world: World, depth: int) -> Any:
    if len(node.ops) != 1:
        return UNKNOWN
    left, right = evaluate(node.left, scope, world, depth), evaluate(node.comparators[0], scope, world, depth)
    kind = type(node.ops[0])
    if kind in (ast.Is, ast.IsNot):
        same = _identity(left, right)
        return same if same is UNKNOWN or kind is ast.Is else not same
    if kind in (ast.In, ast.NotIn) and isinstance(right, tuple) and left is not UNKNOWN and UNKNOWN not in right:
        return (left in right) is (kind is ast.In)
    if left is UNKNOWN or right is UNKNOWN or kind not in _COMPARISONS:
        return UNKNOWN
    if right is AT_LEAST_ONE:
        left, right, kind = right, left, _MIRRORED.get(kind, kind)
    if left is AT_LEAST_ONE:
        return _compare_count(kind, right)
    if isinstance(left, tuple) or isinstance(right, tuple):
        return UNKNOWN
    try:
        return _COMPARISONS[kind](left, right)
    except TypeError:
        return UNKNOWN


def _compare_count(kind: type, bound: Any) -> Any:
    if type(bound) is not int:
        return UNKNOWN
    if bound < 1:
        return kind in (ast.NotEq, ast.Gt, ast.GtE)
    if bound == 1 and kind is ast.GtE:
        return True
    if bound == 1 and kind is ast.Lt:
        return False
    return UNKNOWN


def _identity(left: Any, right: Any) -> Any:
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    singletons = (None, True, False)
    if any(left is item for item in singletons) or any(right is item for item in singletons):
        return left is right
    return UNKNOWN


def _conditional(node: ast.IfExp, scope: Scope, world: World, depth: int) -> Any:
    decided = truth(evaluate(node.test, scope, world, depth))
    if decided is None:
        return UNKNOWN
    return evaluate(node.body if decided else node.orelse, scope, world, depth)


def _sequence(node: ast.List | ast.Tuple, scope: Scope, world: World, depth: int) -> Any:
    if any(isinstance(element, ast.Starred) for element in node.elts):
        return UNKNOWN
    return tuple(evaluate(element, scope, world, depth) for element in node.elts)


def _added(node: ast.BinOp, scope: Scope, world: World, depth: int) -> Any:
    left, right = evaluate(node.left, scope, world, depth), evaluate(node.right, scope, world, depth)
    if isinstance(node.op, ast.Add) and isinstance(left, tuple) and isinstance(right, tuple):
        return left + right
    return UNKNOWN


def dotted_name(node: ast.expr | None) -> str:
    """``a.b.c`` as text, "" for anything that is not a chain of names."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join(reversed([*parts, node.id]))


_EVALUATE = {
    ast.Constant: lambda node, scope, world, depth: node.value,
    ast.Name: _name,
    ast.Attribute: _dotted,
    ast.Call: _call,
    ast.BoolOp: _logical,
    ast.UnaryOp: _not,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.BinOp: _added,
    ast.NamedExpr: lambda node, scope, world, depth: evaluate(node.value, scope, world, depth),
}
