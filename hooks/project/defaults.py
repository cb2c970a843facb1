"""Whether two defaults of a parameter mean the same to a caller: their values, and what a body makes of None."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .bodies import body
from .signatures import Argument
from .values import Value, same, value_of
from .worlds import parse


def differ(old: Argument, new: Argument) -> bool | None:
    """Whether two defaults differ to a caller.

    Returns:
        None where they mean the same; True where they certainly differ; False where only their text does, where
        one is a name that may have been renamed, or where a Config's field is or was unset.
    """
    if old.default == new.default and isinstance(parse(old.default), ast.Constant):
        return None
    was, now = (value_of(item.project, item.path, item.default, item.owner) for item in (old, new))
    equal = same(was, now)
    if equal or old.default == new.default:
        return None
    for filled, given, other in ((new, now, was), (old, was, now)):
        if given.kind == "literal" and given.value is None:
            fallbacks = list(_restored(filled))
            if fallbacks and any(same(value, other) is not False for value in fallbacks):
                return None
            if not fallbacks and filled is new and filled.origin != "field" and _handed_on(filled):
                return None
    unset = old.origin == "field" and None in (was.value, now.value)
    return equal is not None and "name" not in (was.kind, now.kind) and not unset


def amounts_to(argument: Argument, other: Argument) -> bool:
    """Whether leaving a parameter out gives the value that another parameter's default is."""
    wanted = value_of(other.project, other.path, other.default, other.owner)
    own = value_of(argument.project, argument.path, argument.default, argument.owner)
    given = _restored(argument) if own.kind == "literal" and own.value is None else ()
    return any(same(value, wanted) for value in (own, *given))


def _restored(argument: Argument) -> Iterator[Value]:
    """Values that a body puts in the place of None: ``if x is None: x = 1``, ``x or 1``, ``bool(x)``, a conditional."""
    tree, name = _body_of(argument), argument.name
    for node in ast.walk(tree) if tree else ():
        value = None
        if isinstance(node, ast.If) and _tests(node.test, name):
            for inner in (item for part in _without(node) for item in ast.walk(part)):
                known = isinstance(inner, ast.Assign) and not _is_name(inner.value, name)
                if known and any(name in ast.unparse(target) for target in inner.targets):
                    yield value_of(argument.project, argument.path, ast.unparse(inner.value), argument.owner)
        elif isinstance(node, ast.IfExp) and _tests(node.test, name):
            value = node.body if isinstance(node.body, ast.Constant) or _is_name(node.orelse, name) else node.orelse
        elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and _is_name(node.values[0], name):
            value = node.values[-1]
        elif isinstance(node, ast.Call) and _is_name(node.func, "bool") and node.args and _is_name(node.args[0], name):
            value = ast.Constant(False)
        if value is not None:
            yield value_of(argument.project, argument.path, ast.unparse(value), argument.owner)


def _without(node: ast.If) -> list[ast.stmt]:
    """The branch taken when nothing was passed; both where the test is not a plain one."""
    test = node.test
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Is, ast.IsNot)):
        return node.body if isinstance(test.ops[0], ast.Is) else node.orelse
    return [*node.body, *node.orelse]


def _handed_on(argument: Argument) -> bool:
    """Whether a body passes a parameter on to a call, which may fill it in."""
    tree = _body_of(argument)
    return tree is None or any(
        _is_name(value, argument.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for value in (*node.args, *(word.value for word in node.keywords))
    )


def _body_of(argument: Argument) -> ast.AST | None:
    module = argument.project.module(argument.path)
    found = [item for item in module.functions if item.line == argument.line] if module else []
    return body(argument.project, argument.path, found[0]) if found else None


def _tests(test: ast.expr, name: str) -> bool:
    return any(_is_name(node, name) for node in ast.walk(test))


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
