"""What a function does with its ``**kwargs``: which keys it reads and whom it hands the rest."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ..facts.source import walk

_LOOKING = ("len", "bool", "isinstance", "type", "repr", "str", "sorted", "list", "set")
"""Functions that look at a dictionary's keys and give nothing of it away."""


class Forward(NamedTuple):
    """One call that is given the rest of the keywords.

    Args:
        callee: what is called; for a plain argument, ``helper(kwargs)``, ``position`` says where.
        keywords: names that the call passes itself.
        positional: how many arguments come before, a star argument left out.
        star: a star argument comes before.
        position: of the dictionary as a plain argument; None for ``**kwargs``.
    """

    callee: ast.expr
    keywords: tuple[str, ...]
    positional: int
    star: bool
    position: int | None = None


class Keywords(NamedTuple):
    """Uses of a dictionary of keywords.

    Args:
        read: key -> default as an expression, or None where it has none.
        popped: those of them that are taken out.
        forwards: calls that get it.
        refused: what is left over raises.
        escapes: it is used in some other way, so any key may mean something.
    """

    read: dict[str, ast.expr | None]
    popped: frozenset[str]
    forwards: tuple[Forward, ...]
    refused: bool
    escapes: bool


@lru_cache(maxsize=4096)
def keywords(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Keywords:
    """Uses of one dictionary in a function's body, whatever their order."""
    read: dict[str, ast.expr | None] = {}
    popped: set[str] = set()
    forwards: list[Forward] = []
    known: set[ast.AST] = set()
    refused = False
    used = []
    nodes = walk(function)
    keys = _loops(nodes)
    for node in nodes:
        if isinstance(node, ast.Name):
            if node.id == name and isinstance(node.ctx, ast.Load):
                used.append(node)
            continue
        if isinstance(node, ast.Call):
            if is_name(node.func, name, "attribute"):
                method, arguments = node.func.attr, node.args
                if method in ("pop", "get", "setdefault") and arguments:
                    known.add(node.func.value)
                    if method != "setdefault":
                        for key in constant_keys(arguments[0], keys):
                            read.setdefault(key, arguments[1] if len(arguments) > 1 else None)
                            popped.update([key] if method == "pop" else ())
                elif method == "update" and not arguments and all(word.arg for word in node.keywords):
                    known.add(node.func.value)
            elif isinstance(node.func, ast.Name) and node.func.id in _LOOKING:
                known.update(argument for argument in node.args if is_name(argument, name))
            elif found := [pair for pair in _given(node, name) if pair[0] not in known]:
                known.update(holder for holder, _ in found)
                forwards += [forward for _, forward in found]
        elif isinstance(node, ast.Subscript) and is_name(node.value, name):
            known.add(node.value)
            if isinstance(node.ctx, ast.Load):
                for key in constant_keys(node.slice, keys):
                    read.setdefault(key, None)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            if is_name(node.comparators[0], name):
                known.add(node.comparators[0])
        elif isinstance(node, ast.If) and any(isinstance(inner, ast.Raise) for inner in node.body):
            tested = [inner for inner in walk(node.test) if is_name(inner, name)]
            if tested and _is_rest(node.test, name):
                refused = True
                known.update(inner for part in (node.test, *node.body) for inner in walk(part) if is_name(inner, name))
    return Keywords(read, frozenset(popped), tuple(forwards), refused, any(node not in known for node in used))


def is_name(node: ast.AST, name: str, kind: str = "name") -> bool:
    """Whether a node is the name, or (kind "attribute") an attribute of it."""
    if kind == "attribute":
        return isinstance(node, ast.Attribute) and is_name(node.value, name)
    return isinstance(node, ast.Name) and node.id == name


def constant_keys(node: ast.expr, loops: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The strings that a key may be: a constant, or the variable of a loop over constants."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (node.value,)
    return loops.get(node.id, ()) if isinstance(node, ast.Name) else ()


def strings(node: ast.expr, values: dict[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """Strings of a constant collection, or of a union of such; None where it is something else."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        items = [item.value for item in node.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        return tuple(items) if len(items) == len(node.elts) else None
    if isinstance(node, ast.Name):
        return values.get(node.id)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitOr, ast.Add)):
        left, right = strings(node.left, values), strings(node.right, values)
        return None if left is None or right is None else tuple(dict.fromkeys((*left, *right)))
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("set", "frozenset", "tuple", "list", "sorted")
    ):
        return strings(node.args[0], values) if len(node.args) == 1 else None
    return None


def _loops(nodes: list[ast.AST]) -> dict[str, tuple[str, ...]]:
    """Variables of loops over constant strings."""
    loops = [node for node in nodes if isinstance(node, ast.For)]
    if not loops:
        return {}
    values: dict[str, tuple[str, ...]] = {}
    found: dict[str, tuple[str, ...]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if (items := strings(node.value, values)) is not None:
                values[node.targets[0].id] = items
    for node in loops:
        if isinstance(node.target, ast.Name):
            found[node.target.id] = found.get(node.target.id, ()) + (strings(node.iter, values) or ())
    return found


def _given(call: ast.Call, name: str) -> Iterator[tuple[ast.AST, Forward]]:
    words = tuple(word.arg for word in call.keywords if word.arg)
    star = any(isinstance(argument, ast.Starred) for argument in call.args)
    plain = [argument for argument in call.args if not isinstance(argument, ast.Starred)]
    for word in call.keywords:
        if word.arg is None and is_name(word.value, name):
            yield word.value, Forward(call.func, words, len(plain), star)
    for position, argument in enumerate(call.args):
        if is_name(argument, name):
            yield argument, Forward(call.func, words, len(plain), star, position)


def _is_rest(test: ast.expr, name: str) -> bool:
    """``if kwargs``, ``if len(kwargs)``, ``if len(kwargs) > 0``: what is left over."""
    if isinstance(test, ast.Compare):
        test = test.left
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id in ("len", "bool") and test.args:
        test = test.args[0]
    return is_name(test, name)
