"""Which comparisons in the package branch on the version of another package."""

from __future__ import annotations

import ast
from typing import NamedTuple

from ..facts.records import Assign, Comparison
from . import Project
from .names import lookup
from .optional import STANDARD, need
from .torch_symbols import Version, floor, numbers
from .worlds import dotted_name, parse

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_PARSERS = ("parse", "Version", "parse_version", "LooseVersion")
_MIRRORED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_HOPS = 4


class Branch(NamedTuple):
    """A comparison of a version.

    Args:
        package: whose version, "" where that is not known.
        as_strings: two texts are put in order.
        always: what it is worth with every torch supported; None where it depends.
    """

    package: str
    as_strings: bool
    always: bool | None


class _Side(NamedTuple):
    package: str = ""
    is_version: bool = False
    parsed: bool = False
    literal: Version = ()


def branch(project: Project, path: str, record: Comparison) -> Branch | None:
    """What a comparison branches on; None where it is no version of another package."""
    node = parse(record.text)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], _ORDERS):
        return None
    left = _side(project, path, record.scope, node.left, _HOPS)
    right = _side(project, path, record.scope, node.comparators[0], _HOPS)
    if not (left.is_version or right.is_version):
        return None
    package = left.package or right.package
    if package and (package == project.profile["package"] or need(project, package) == STANDARD):
        return None
    kind = type(node.ops[0])
    if left.literal:
        left, right, kind = right, left, _MIRRORED.get(kind, kind)
    always = _always(kind, right.literal, floor(project)) if package == "torch" and right.literal else None
    as_strings = kind not in (ast.Eq, ast.NotEq) and not (left.parsed or right.parsed) and bool(right.literal)
    return Branch(package, as_strings, always)


def _side(project: Project, path: str, scope: str, node: ast.expr, hops: int) -> _Side:
    if isinstance(node, ast.Constant):
        return _Side(literal=numbers(node.value) if isinstance(node.value, str) else ())
    if isinstance(node, ast.Call):
        name = dotted_name(node.func)
        last = name.rpartition(".")[2]
        if last in _PARSERS and node.args:
            inner = _side(project, path, scope, node.args[0], hops)
            return inner._replace(is_version=True, parsed=True)
        if _is_metadata(project, path, scope, name) and node.args:
            given = node.args[0]
            return _Side(given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else "", True)
        if isinstance(node.func, ast.Attribute) and last in ("split", "strip", "partition"):
            return _side(project, path, scope, node.func.value, hops)
        return _Side()
    if isinstance(node, ast.Attribute):
        if node.attr == "__version__":
            package = dotted_name(node.value)
            return _Side(
                _package(project, path, scope, package),
                bool(package) and package.partition(".")[0] not in ("self", "cls"),
            )
        if node.attr in ("base_version", "public"):
            # A text again, however it was parsed before.
            return _side(project, path, scope, node.value, hops)._replace(parsed=False)
        if node.attr in ("release", "major", "minor", "micro"):
            return _side(project, path, scope, node.value, hops)
    if isinstance(node, ast.Subscript):
        return _side(project, path, scope, node.value, hops)
    dotted = dotted_name(node)
    found = lookup(project, path, dotted, scope) if dotted and hops else None
    if found is not None and isinstance(found.record, Assign) and found.path and not found.others:
        value = parse(found.record.value)
        return _side(project, found.path, found.record.scope, value, hops - 1) if value is not None else _Side()
    return _Side()


def _is_metadata(project: Project, path: str, scope: str, name: str) -> bool:
    found = lookup(project, path, name, scope) if name else None
    return (
        found is not None
        and not found.path
        and found.name in ("importlib.metadata.version", "importlib_metadata.version")
    )


def _package(project: Project, path: str, scope: str, name: str) -> str:
    """The package that a name stands for; not looked for among the file's neighbours, which only tests import like that."""
    first = name.partition(".")[0]
    for item in project.module(path).imports:
        if item.bound == first and (not item.scope or scope == item.scope or scope.startswith(item.scope + ".")):
            return project.profile["package"] if item.level else item.module.partition(".")[0]
    return name.rpartition(".")[2]


def _always(kind: type[ast.cmpop], bound: Version, oldest: Version) -> bool | None:
    """What a comparison gives for every version from the oldest on."""
    if kind in (ast.Lt, ast.LtE) and (bound < oldest or (kind is ast.Lt and bound == oldest)):
        return False
    if kind in (ast.Gt, ast.GtE) and (bound < oldest or (kind is ast.GtE and bound == oldest)):
        return True
    return None
