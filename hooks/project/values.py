"""What a default means, so that two of them can be compared as values and not as text."""

from __future__ import annotations

import ast
import operator
from typing import Any, NamedTuple

from ..facts.records import Assign, Class
from . import Project
from .mro import Place, mro, used
from .names import lookup
from .worlds import dotted_name, parse

_HOPS = 6
_ARITHMETIC = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_EMPTY_FACTORIES = {"dict": {}, "list": (), "tuple": (), "set": ()}


class Value(NamedTuple):
    """A default.

    Args:
        kind: "required" (none, or OmegaConf's MISSING), "unset" (a sentinel), "literal", "name" (a class, a
            function, an enumeration's member, an attribute of another package) or "unknown".
        value: of a literal, lists as tuples; of a name, its dotted name.
    """

    kind: str
    value: Any = None


REQUIRED, UNKNOWN, UNSET, NONE = Value("required"), Value("unknown"), Value("unset"), Value("literal")


def value_of(project: Project, path: str, text: str | None, scope: str = "") -> Value:
    """Value of a default as written in a file; names are looked up from ``scope``."""
    if text is None or text == "":
        return REQUIRED
    if text == "...":
        return UNKNOWN
    return _value(project, path, parse(text), scope, _HOPS)


def same(left: Value, right: Value) -> bool | None:
    """Whether two defaults mean the same, or None where that cannot be told."""
    if "unknown" in (left.kind, right.kind) or "unset" in (left.kind, right.kind):
        return None
    if left.kind == right.kind == "literal":
        return left.value == right.value or (_is_empty(left) and _is_empty(right))
    if left.kind == right.kind == "name":
        return _tail(left.value) == _tail(right.value)
    names = [item for item in (left, right) if item.kind == "name"]
    if names:
        other = right if names[0] is left else left
        if isinstance(other.value, str):
            # An enumeration's member and its name, torch.float32 and "torch.float32" or "float32".
            return other.value.lower() in (names[0].value.lower(), _tail(names[0].value).lower()) or names[
                0
            ].value.endswith("." + other.value)
        return False
    return left.kind == right.kind


def show(text: str | None) -> str:
    """A default for people."""
    return "no default" if not text else " ".join(text.split())


def _is_empty(value: Value) -> bool:
    return value.value is None or value.value == {} or value.value == ()


def _tail(name: str) -> str:
    return name.rpartition(".")[2]


def _value(project: Project, path: str, node: ast.expr | None, scope: str, hops: int) -> Value:
    if node is None or hops <= 0:
        return UNKNOWN
    if isinstance(node, ast.Constant):
        return Value("literal", node.value)
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        items = [_value(project, path, item, scope, hops) for item in node.elts]
        # A name inside stays a name: no text is equal to it by chance.
        return (
            Value("literal", tuple(item.value for item in items))
            if all(item.kind == "literal" for item in items)
            else UNKNOWN
        )
    if isinstance(node, ast.Dict):
        pairs = [
            (_value(project, path, key, scope, hops), _value(project, path, item, scope, hops))
            for key, item in zip(node.keys, node.values)
        ]
        known = all(part.kind == "literal" for pair in pairs for part in pair)
        return Value("literal", {key.value: item.value for key, item in pairs}) if known else UNKNOWN
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        inner = _value(project, path, node.operand, scope, hops)
        known = inner.kind == "literal" and isinstance(inner.value, (int, float))
        return Value("literal", -inner.value if isinstance(node.op, ast.USub) else inner.value) if known else UNKNOWN
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        return _arithmetic(node, [_value(project, path, side, scope, hops) for side in (node.left, node.right)])
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _named(project, path, dotted_name(node), scope, hops)
    if isinstance(node, ast.Call):
        return _called(project, path, node, scope, hops)
    return UNKNOWN


def _arithmetic(node: ast.BinOp, sides: list[Value]) -> Value:
    if not all(side.kind == "literal" and isinstance(side.value, (int, float)) for side in sides):
        return UNKNOWN
    try:
        return Value("literal", _ARITHMETIC[type(node.op)](sides[0].value, sides[1].value))
    except (ArithmeticError, ValueError):
        return UNKNOWN


def _named(project: Project, path: str, dotted: str | None, scope: str, hops: int) -> Value:
    if not dotted:
        return UNKNOWN
    if _tail(dotted) == "MISSING":
        return REQUIRED
    found = lookup(project, path, dotted, scope)
    if found is None:
        return UNKNOWN
    if isinstance(found.record, Assign):
        owner = next((item for item in project.module(found.path).classes if item.qualname == found.record.scope), None)
        if owner is not None and _is_enum(project, found.path, owner):
            return Value("name", f"{found.record.scope}.{found.record.name}")
        return _value(project, found.path, parse(found.record.value), found.record.scope, hops - 1)
    if found.path and found.record is None:
        return UNKNOWN
    return Value("name", found.name)


def _is_enum(project: Project, path: str, record: Class) -> bool:
    return any(
        link.name.rpartition(".")[2] in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")
        for link in mro(project, path, record)
    )


def _called(project: Project, path: str, node: ast.Call, scope: str, hops: int) -> Value:
    name = dotted_name(node.func) or ""
    if name == "object" and not node.args:
        return UNSET
    if name in _EMPTY_FACTORIES and not node.args and not node.keywords:
        return Value("literal", _EMPTY_FACTORIES[name])
    if _tail(name) == "field":
        words = {word.arg: word.value for word in node.keywords}
        if "default" in words:
            return _value(project, path, words["default"], scope, hops)
        return _made(project, path, words["default_factory"], hops) if "default_factory" in words else REQUIRED
    return UNSET if name == "auto" else UNKNOWN


def _made(project: Project, path: str, factory: ast.expr, hops: int) -> Value:
    """What a ``default_factory`` makes; a nested Config stands for the class that it names."""
    if isinstance(factory, ast.Lambda):
        return _value(project, path, factory.body, "", hops)
    if isinstance(factory, ast.Call) and _tail(dotted_name(factory.func) or "") == "partial" and factory.args:
        words = {word.arg: word.value for word in factory.keywords}
        if isinstance(target := words.get("_target_"), ast.Constant):
            return Value("name", str(target.value))
        if len(factory.args) == 2 and dotted_name(factory.args[0]) in ("list", "tuple"):
            return _value(project, path, factory.args[1], "", hops)
        factory = factory.args[0]
    name = dotted_name(factory) or ""
    if name in _EMPTY_FACTORIES:
        return Value("literal", _EMPTY_FACTORIES[name])
    place = used(project, path, name) if name else None
    if isinstance(place, Place) and isinstance(place.record, Class):
        from .signatures import class_fields

        for link in mro(*place):
            for item in class_fields(link.project, link.path, link.record) if link.record else ():
                if item.name == "_target_" and isinstance(node := parse(item.value), ast.Constant):
                    return Value("name", str(node.value))
    return UNKNOWN
