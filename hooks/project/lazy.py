"""What a module's ``__getattr__`` answers for a name: its body followed with that name, nothing imported.

Followed are tests of the name (``==``, ``in`` a literal or a constant), tables (``TABLE[name]``,
``TABLE.get(name)``), ``import_module``, ``__import__``, imports in the body and ``getattr`` on a module.
"""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from ..facts.records import Assign, Function
from . import Project
from .bodies import body
from .names import bindings, module_path
from .worlds import dotted_name, parse

UNKNOWN = object()
"""The module answers, and only a run would know what."""


class Attribute(NamedTuple):
    """A name of another file of the tree; without a name, the module itself."""

    path: str
    name: str


def lazy(project: Project, path: str, name: str) -> Attribute | object | None:
    """What a module gives for a name that it does not bind.

    Returns:
        An ``Attribute``; UNKNOWN where it cannot be followed; None where the module has no ``__getattr__`` or
        that one raises.
    """
    found = (bindings(project, path) or {}).get(("", "__getattr__"), [])
    function = found[-1] if found and isinstance(found[-1], Function) else None
    tree = body(project, path, function) if function else None
    if tree is None or not function.parameters:
        return UNKNOWN if function else None
    answer = _Body(project, path).run(tree.body, {function.parameters[0].name: name})
    return answer if answer is None or isinstance(answer, Attribute) else UNKNOWN


class _Body:
    def __init__(self, project: Project, path: str) -> None:
        self.project = project
        self.path = path

    def run(self, statements: list[ast.stmt], values: dict[str, Any]) -> Any:
        """The value returned; None where the end is reached or something raised."""
        for position, node in enumerate(statements):
            if isinstance(node, ast.Raise):
                return None
            if isinstance(node, ast.Return):
                return self.value(node.value, values)
            if isinstance(node, ast.If):
                test = self.value(node.test, values)
                branch = node.body if test is UNKNOWN or test else node.orelse
                return self.run([*branch, *statements[position + 1 :]], values)
            if isinstance(node, (ast.Try, ast.With)):
                return self.run([*node.body, *getattr(node, "orelse", ()), *statements[position + 1 :]], values)
            self.bind(node, values)
        return None

    def bind(self, node: ast.stmt, values: dict[str, Any]) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                target = alias.name if alias.asname else alias.name.partition(".")[0]
                values[alias.asname or target] = self.module(target, 0)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                inner = self.module(f"{node.module or ''}.{alias.name}".strip("."), node.level)
                outer = module_path(self.project, node.module or "", node.level, self.path)
                known = outer is not None and ("", alias.name) in (bindings(self.project, outer) or {})
                values[alias.asname or alias.name] = Attribute(outer, alias.name) if known else inner
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            value, target = self.value(node.value, values), node.targets[0]
            if isinstance(target, ast.Name):
                values[target.id] = value
            elif isinstance(target, ast.Tuple):
                parts = (
                    value
                    if isinstance(value, tuple) and len(value) == len(target.elts)
                    else [UNKNOWN] * len(target.elts)
                )
                pairs = zip(target.elts, parts, strict=True)
                values.update((item.id, part) for item, part in pairs if isinstance(item, ast.Name))

    def value(self, node: ast.expr | None, values: dict[str, Any]) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return values[node.id] if node.id in values else self.constant(node.id)
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return tuple(self.value(item, values) for item in node.elts)
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            return {self.value(key, values): self.value(item, values) for key, item in pairs if key}
        if isinstance(node, ast.JoinedStr):
            pieces = [item.value if isinstance(item, ast.FormattedValue) else item for item in node.values]
            parts = [self.value(piece, values) for piece in pieces]
            return "".join(parts) if all(isinstance(part, str) for part in parts) else UNKNOWN
        if isinstance(node, ast.Subscript):
            return self.item(self.value(node.value, values), self.value(node.slice, values), UNKNOWN)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self.compared(node.ops[0], self.value(node.left, values), self.value(node.comparators[0], values))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.value(node.operand, values)
            return UNKNOWN if inner is UNKNOWN else not inner
        if isinstance(node, ast.Call):
            return self.called(node, values)
        return UNKNOWN

    def called(self, node: ast.Call, values: dict[str, Any]) -> Any:
        given = [self.value(argument, values) for argument in node.args]
        name = dotted_name(node.func).rpartition(".")[2]
        if name in ("import_module", "__import__") and given and isinstance(given[0], str):
            dots = len(given[0]) - len(given[0].lstrip("."))
            return self.module(given[0][dots:], dots)
        if name == "getattr" and len(given) > 1 and isinstance(given[0], Attribute) and isinstance(given[1], str):
            return Attribute(given[0].path, given[1]) if not given[0].name else UNKNOWN
        if name == "get" and given and isinstance(node.func, ast.Attribute):
            return self.item(self.value(node.func.value, values), given[0], None)
        return UNKNOWN

    def item(self, table: Any, key: Any, missing: Any) -> Any:
        return table.get(key, missing) if isinstance(table, dict) and isinstance(key, str) else UNKNOWN

    def compared(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        if left is UNKNOWN or right is UNKNOWN:
            return UNKNOWN
        if isinstance(op, (ast.Eq, ast.Is)):
            return left == right
        if isinstance(op, (ast.NotEq, ast.IsNot)):
            return left != right
        if isinstance(op, (ast.In, ast.NotIn)) and isinstance(right, (tuple, dict)):
            return (left in right) is isinstance(op, ast.In)
        return UNKNOWN

    def constant(self, name: str) -> Any:
        found = (bindings(self.project, self.path) or {}).get(("", name), [])
        if len(found) == 1 and isinstance(found[0], Assign) and found[0].op == "=":
            return self.value(parse(found[0].value), {})
        return UNKNOWN

    def module(self, dotted: str, level: int) -> Any:
        path = module_path(self.project, dotted, level, self.path)
        return Attribute(path, "") if path else UNKNOWN
