"""What a class makes of a parameter that is None: ``x = self._default if x is None else x``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts.records import Function
from .bodies import body, source, walk
from .mro import Link, Place, mro
from .signatures import Argument, metaclass
from .values import UNKNOWN, Value, value_of


def fallback(place: Place, argument: Argument) -> Value | None:
    """The value that takes the place of None, in the body that takes the parameter, in a base's that it is passed
    on to under its name, or in the metaclass's; None where none of them has such a line."""
    for link, function in _bodies(place, argument):
        text = source(link.project, link.path, function)
        if f"{argument.name} is" in text or f"{argument.name} or" in text:
            for node in walk(body(link.project, link.path, function)):
                if (found := _instead(node, argument.name)) is not None:
                    return _value(place, link, _popped(found, argument.name))
    return None


def _bodies(place: Place, argument: Argument) -> Iterator[tuple[Link, Function]]:
    line = mro(*place)
    for link in line:
        for function in link.methods("__init__")[-1:]:
            if any(item.name == argument.name for item in function.parameters):
                yield link, function
    kind = metaclass(line)
    for function in kind.methods("__call__")[-1:] if kind else ():
        yield kind, function


def _instead(node: ast.AST, name: str) -> ast.expr | None:
    """What a statement or an expression takes where a name is None."""
    if isinstance(node, ast.If) and _is_none(node.test, name):
        return next((inner.value for inner in node.body if isinstance(inner, ast.Assign) and _names(inner.targets[0], name)), None)
    if isinstance(node, ast.IfExp) and _is_none(node.test, name):
        return node.body
    if isinstance(node, ast.IfExp) and _is_none(node.test, name, ast.IsNot):
        return node.orelse
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and _names(node.values[0], name):
        return node.values[-1]
    return None


def _popped(node: ast.expr, name: str) -> ast.expr:
    """The default of ``kwargs.pop(name, default)``, else the expression itself."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("pop", "get") and len(node.args) == 2:
        if isinstance(node.args[0], ast.Constant) and node.args[0].value == name:
            return node.args[1]
    return node


def _is_none(test: ast.expr, name: str, op: type = ast.Is) -> bool:
    return (
        isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], op) and _names(test.left, name)
        and isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None
    )


def _names(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _value(place: Place, where: Link, node: ast.expr) -> Value:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
        for link in mro(*place):
            module = link.project.module(link.path) if link.record else None
            for item in module.assigns if module else ():
                if item.scope == link.name and item.name == node.attr and item.value:
                    return value_of(link.project, link.path, item.value, link.name)
        return UNKNOWN
    return value_of(where.project, where.path, ast.unparse(node), where.name)
