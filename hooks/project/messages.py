"""Warn calls and what they say, rendered without running anything.

Literal pieces are kept; what only a run would know is a hole. A message in a module constant, a class
attribute, a local name or a helper's answer is followed to its text, and a helper that warns for its
callers is seen at each call, with what that call passes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import NamedTuple

from ..facts.records import Assign, Class, Function, Warn
from . import Project
from .bodies import body
from .names import Definition, lookup
from .worlds import dotted_name, parse

HOLE = "\ufffc"
"""Stands in a rendered text for what only a run would know."""

_DEPTH = 8
_HOLDER = re.compile(r"\{[^{}]*\}")
_PERCENT = re.compile(r"%(?:\(\w+\))?[-#0 +]*[\d*.]*[a-zA-Z]")
_OWNER = re.compile(r"(?:self|cls|type\(self\)|self\.__class__)\.(\w+)")
_SAME = ("strip", "lstrip", "rstrip", "dedent", "cleandoc")


class Site(NamedTuple):
    """One statement that warns.

    Args:
        text: the rendered message; None where nothing of it is known.
        category: last part of the category's name, "" where there is none, None where it is not known.
        logger: whether it goes to a logger instead of ``warnings``.
        helper: what the helper called here says by itself, with holes for what callers pass; "" where
            the statement warns directly.
        order: how many statements named after warnings stand before it in the same scope.
    """

    path: str
    warn: Warn
    text: str | None
    category: str | None
    logger: bool
    helper: str
    order: int


class _Where(NamedTuple):
    """Where an expression stands, and what the names of its parameters hold."""

    project: Project
    path: str
    scope: str
    values: Mapping[str, ast.expr | None] = {}
    outer: _Where | None = None


class _Call(NamedTuple):
    message: ast.expr | None
    category: ast.expr | None
    logger: bool


def sites(project: Project, path: str) -> list[Site]:
    """Statements of a file that warn, in its order."""
    key = ("sites", path)
    if key not in project.memo:
        module = project.module(path)
        seen: dict[str, int] = {}
        found = []
        for warn in module.warns if module else ():
            order = seen[warn.scope] = seen.get(warn.scope, -1) + 1
            found.append(_site(project, path, warn, order))
        project.memo[key] = [site for site in found if site is not None]
    return project.memo[key]


def _site(project: Project, path: str, warn: Warn, order: int) -> Site | None:
    node = parse(warn.call)
    if not isinstance(node, ast.Call):
        return None
    where = _Where(project, path, warn.scope)
    call = _warning(node, where)
    if call is not None:
        return Site(path, warn, _text(call.message, where), _category(call, where), call.logger, "", order)
    for inside, inner in _helper(node, where):
        own = _text(inside.message, inner._replace(values=dict.fromkeys(inner.values)))
        return Site(
            path, warn, _text(inside.message, inner), _category(inside, inner), inside.logger, own or HOLE, order
        )
    return None


def _warning(node: ast.Call, where: _Where) -> _Call | None:
    """What a call passes to ``warnings.warn`` or a logger; None where it is another call."""
    dotted = dotted_name(node.func)
    receiver, _, name = dotted.rpartition(".")
    words = {word.arg: word.value for word in node.keywords}
    message = node.args[0] if node.args else words.get("message") or words.get("msg")
    if name not in ("warn", "warning", "warn_once", "warning_once"):
        return None
    if "log" in receiver.lower():
        return _Call(message, None, True)
    if name != "warn":
        return None
    found = lookup(where.project, where.path, dotted, where.scope)
    if not (found is None or found.name == "warnings.warn") or (
        found is None and dotted not in ("warnings.warn", "warn")
    ):
        return None
    category = words.get("category") or (node.args[1] if len(node.args) > 1 else None)
    if isinstance(message, ast.Call) and dotted_name(message.func).endswith("Warning"):
        # warn(SomeWarning("text")) ignores the category beside it.
        return _Call(message.args[0] if message.args else None, message.func, False)
    return _Call(message, category, False)


def _helper(node: ast.Call, where: _Where) -> list[tuple[_Call, _Where]]:
    """The first warning of the function that a call names, and its scope with the call's arguments."""
    dotted = dotted_name(node.func)
    found = lookup(where.project, where.path, dotted, where.scope) if dotted else None
    if found is None or not isinstance(found.record, Function) or found.others:
        return []
    module = where.project.module(found.path)
    inner = _Where(where.project, found.path, found.name, _arguments(node, found.record), where)
    for warn in module.warns if module else ():
        call = parse(warn.call) if warn.scope == found.name else None
        inside = _warning(call, inner) if isinstance(call, ast.Call) else None
        if inside is not None:
            return [(inside, inner)]
    return []


def _arguments(node: ast.Call, function: Function) -> dict[str, ast.expr | None]:
    positional = iter(node.args)
    given = {word.arg: word.value for word in node.keywords}
    values: dict[str, ast.expr | None] = {}
    for parameter in function.parameters:
        value = next(positional, None) if parameter.kind in ("/", "") else None
        value = value or given.get(parameter.name)
        values[parameter.name] = value or (parse(parameter.default) if parameter.default is not None else None)
    return values


def _category(call: _Call, where: _Where) -> str | None:
    node = call.category
    for _ in range(_DEPTH):
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            return ""
        if isinstance(node, ast.Name) and node.id in where.values:
            node, where = where.values[node.id], where.outer or where
            continue
        dotted = dotted_name(node)
        found = lookup(where.project, where.path, dotted, where.scope) if dotted else None
        if found is None or not isinstance(found.record, Assign):
            return dotted.rpartition(".")[2] if dotted.endswith("Warning") else None
        node, where = parse(found.record.value), _Where(where.project, found.path, found.record.scope)
    return None


def _text(node: ast.expr | None, where: _Where) -> str | None:
    text = _render(node, where, _DEPTH)
    return text if text.replace(HOLE, "").strip() else None


def _render(node: ast.expr | None, where: _Where, depth: int) -> str:
    """Text of an expression; a hole where it has none."""
    if node is None or depth <= 0:
        return HOLE
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_render(piece, where, depth) for piece in node.values)
    if isinstance(node, ast.FormattedValue):
        return _value(node.value, where, depth)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _render(node.left, where, depth) + _render(node.right, where, depth)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        values = iter(node.right.elts if isinstance(node.right, ast.Tuple) else [node.right])
        left = _render(node.left, where, depth)
        return _PERCENT.sub(lambda _: _value(next(values, None), where, depth), left).replace("%%", "%")
    if isinstance(node, ast.Call):
        return _called(node, where, depth)
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _named(node, where, depth)
    return HOLE


def _value(node: ast.expr | None, where: _Where, depth: int) -> str:
    """A value put into a text: known where it is a constant, whatever its name; bodies are not read for it."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    return _named(node, where, depth - 1, local=False) if isinstance(node, (ast.Name, ast.Attribute)) else HOLE


def _called(node: ast.Call, where: _Where, depth: int) -> str:
    name = dotted_name(node.func).rpartition(".")[2]
    if isinstance(node.func, ast.Attribute):
        name = node.func.attr
        if name == "format":
            return _formatted(node, where, depth)
        if name in _SAME and not node.args:
            return _render(node.func.value, where, depth - 1)
    if name in _SAME and node.args:
        return _render(node.args[0], where, depth - 1)
    dotted = dotted_name(node.func)
    found = lookup(where.project, where.path, dotted, where.scope) if dotted else None
    if found is None or not isinstance(found.record, Function) or found.others:
        return HOLE
    answers = [item for item in _statements(where.project, found.path, found.record) if isinstance(item, ast.Return)]
    inner = _Where(where.project, found.path, found.name, _arguments(node, found.record), where)
    return _render(answers[0].value, inner, depth - 1) if len(answers) == 1 else HOLE


def _formatted(node: ast.Call, where: _Where, depth: int) -> str:
    values = iter(node.args)
    words = {word.arg: word.value for word in node.keywords}

    def fill(match: re.Match[str]) -> str:
        name = re.match(r"\w*", match[0][1:])[0]
        value = words.get(name) if name and not name.isdigit() else next(values, None)
        return _value(value, where, depth)

    return _HOLDER.sub(fill, _render(node.func.value, where, depth - 1))


def _named(node: ast.Name | ast.Attribute, where: _Where, depth: int, local: bool = True) -> str:
    if isinstance(node, ast.Name) and node.id in where.values:
        return _render(where.values[node.id], where.outer, depth - 1) if where.outer else HOLE
    source = dotted_name(node) or ast.unparse(node)
    # Only what is bound once is known to hold its text.
    if match := _OWNER.fullmatch(source):
        found = _attribute(where, match[1])
    else:
        found = lookup(where.project, where.path, source, where.scope)
    if found is None:
        return _local(source, where, depth) if local else HOLE
    record = found.record
    if not isinstance(record, Assign) or record.op != "=" or found.others or found.name != record.name:
        return HOLE
    return _render(parse(record.value), _Where(where.project, found.path, record.scope), depth - 1)


def _attribute(where: _Where, name: str) -> Definition | None:
    """An attribute in the body of the class around a method, or of its bases."""
    module = where.project.module(where.path)
    around = [cls for cls in module.classes if f"{where.scope}.".startswith(f"{cls.qualname}.")] if module else []
    return (
        _inherited(where.project, where.path, max(around, key=lambda cls: len(cls.qualname)), name, _DEPTH)
        if around
        else None
    )


def _inherited(project: Project, path: str, owner: Class, name: str, depth: int) -> Definition | None:
    found = lookup(project, path, f"{owner.qualname}.{name}")
    for base in owner.bases if found is None and depth else ():
        inner = lookup(project, path, base)
        if inner is not None and isinstance(inner.record, Class):
            found = found or _inherited(project, inner.path, inner.record, name, depth - 1)
    return found


def _local(name: str, where: _Where, depth: int) -> str:
    """A name that its function binds exactly once."""
    module = where.project.module(where.path)
    function = next((item for item in module.functions if item.qualname == where.scope), None) if module else None
    if function is None or "." in name or any(item.name == name for item in function.parameters):
        return HOLE
    values = [
        item.value
        for item in _statements(where.project, where.path, function)
        if isinstance(item, (ast.Assign, ast.AugAssign, ast.AnnAssign))
        for target in (item.targets if isinstance(item, ast.Assign) else [item.target])
        if isinstance(target, ast.Name) and target.id == name
    ]
    return _render(values[0], where, depth - 1) if len(values) == 1 else HOLE


def _statements(project: Project, path: str, function: Function) -> list[ast.stmt]:
    tree = body(project, path, function)
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt)] if tree else []
