"""What a class makes of a parameter that is None: ``x = self._default if x is None else x``."""

from __future__ import annotations

import ast

from .bodies import body, source, walk
from .mro import Place, mro
from .signatures import Argument
from .values import UNKNOWN, Value, value_of


def fallback(place: Place, argument: Argument) -> Value | None:
    """The value that takes the place of None; None where the body has no such line."""
    functions = [item for item in argument.project.module(argument.path).functions if item.line == argument.line]
    for function in functions:
        text = source(argument.project, argument.path, function)
        if f"{argument.name} is" not in text and f"{argument.name} or" not in text:
            return None
    for node in walk(body(argument.project, argument.path, functions[0]) if functions else None):
        if isinstance(node, ast.If) and _is_none(node.test, argument.name):
            for inner in node.body:
                if isinstance(inner, ast.Assign) and _names(inner.targets[0], argument.name):
                    return _value(place, argument, inner.value)
        elif isinstance(node, ast.IfExp):
            if _is_none(node.test, argument.name):
                return _value(place, argument, node.body)
            if _is_none(node.test, argument.name, ast.IsNot):
                return _value(place, argument, node.orelse)
        elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and _names(node.values[0], argument.name):
            return _value(place, argument, node.values[-1])
    return None


def _is_none(test: ast.expr, name: str, op: type = ast.Is) -> bool:
    return (
        isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], op) and _names(test.left, name)
        and isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None
    )


def _names(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _value(place: Place, argument: Argument, node: ast.expr) -> Value:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
        for link in mro(*place):
            module = link.project.module(link.path) if link.record else None
            for item in module.assigns if module else ():
                if item.scope == link.name and item.name == node.attr and item.value:
                    return value_of(link.project, link.path, item.value, link.name)
        return UNKNOWN
    return value_of(argument.project, argument.path, ast.unparse(node), argument.owner)
