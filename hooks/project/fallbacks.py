"""What a class makes of a parameter that is None: ``x = self._default if x is None else x``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from ..facts.records import Function
from ..facts.source import walk
from .bodies import body, source
from .mro import Link, Place, mro
from .signatures import Argument, metaclass
from .values import UNKNOWN, Value, value_of


def fallback(place: Place, argument: Argument) -> Value | None:
    """The value that takes the place of None, in the body that takes the parameter, in a base's that it is passed
    on to under its name, or in the metaclass's; None where none of them has such a line."""
    for link, function in _bodies(place, argument):
        text = source(link.project, link.path, function)
        if f"{argument.name} is" in text or f"{argument.name} or" in text:
            if (found := _replaced(body(link.project, link.path, function)).get(argument.name)) is not None:
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


@lru_cache(maxsize=1024)
def _replaced(tree: ast.AST | None) -> dict[str, ast.expr]:
    """Name -> what takes its place where it is None, the first that the body has."""
    found: dict[str, ast.expr] = {}
    for node in walk(tree):
        if isinstance(node, ast.If) and (name := _tested(node.test, ast.Is)):
            for inner in node.body:
                if (
                    isinstance(inner, ast.Assign)
                    and isinstance(inner.targets[0], ast.Name)
                    and inner.targets[0].id == name
                ):
                    found.setdefault(name, inner.value)
        elif isinstance(node, ast.IfExp):
            if name := _tested(node.test, ast.Is):
                found.setdefault(name, node.body)
            elif name := _tested(node.test, ast.IsNot):
                found.setdefault(name, node.orelse)
        elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and isinstance(node.values[0], ast.Name):
            found.setdefault(node.values[0].id, node.values[-1])
    return found


def _popped(node: ast.expr, name: str) -> ast.expr:
    """The default of ``kwargs.pop(name, default)``, else the expression itself."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("pop", "get")
        and len(node.args) == 2
    ):
        if isinstance(node.args[0], ast.Constant) and node.args[0].value == name:
            return node.args[1]
    return node


def _tested(test: ast.expr, op: type) -> str:
    """The name of ``name is None`` (or ``is not``, by ``op``), else ""."""
    if (
        isinstance(test, ast.Compare)
        and len(test.ops) == 1
        and isinstance(test.ops[0], op)
        and isinstance(test.left, ast.Name)
    ):
        right = test.comparators[0]
        return test.left.id if isinstance(right, ast.Constant) and right.value is None else ""
    return ""


def _value(place: Place, where: Link, node: ast.expr) -> Value:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
        for link in mro(*place):
            module = link.project.module(link.path) if link.record else None
            for item in module.assigns if module else ():
                if item.scope == link.name and item.name == node.attr and item.value:
                    return value_of(link.project, link.path, item.value, link.name)
        return UNKNOWN
    return value_of(where.project, where.path, ast.unparse(node), where.name)
