"""What a test is about: the names of the package that it uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts.source import walk
from . import Project
from .bodies import body
from .names import Definition, lookup
from .tests import Test
from .worlds import dotted_name, parse


def subjects(project: Project, test: Test) -> list[Definition]:
    """Definitions in the package that a test's body and parameters name, each once, in their order.

    Test helpers are left out, private names where there are public ones.
    """
    package = project.profile["package"]
    found: dict[tuple[str, str], Definition] = {}
    for dotted in _named(project, test):
        meant = lookup(project, test.home, dotted, test.function.qualname)
        if meant is None or meant.record is None or not meant.path.startswith(package + "/"):
            continue
        if not meant.path.startswith(f"{package}/testing/"):
            found.setdefault((meant.path, meant.record.name), meant)
    public = [item for item in found.values() if not item.record.name.startswith("_")]
    return public or list(found.values())


def _named(project: Project, test: Test) -> Iterator[str]:
    nodes: list[ast.AST | None] = [body(project, test.home, test.function)]
    nodes += [parse(decorator.text) for decorator in test.function.decorators]
    for root in nodes:
        if isinstance(root, (ast.FunctionDef, ast.AsyncFunctionDef)):
            root.decorator_list = []
        # Outermost first, so that a.b.C is asked for before a.
        for node in sorted((item for item in walk(root) if isinstance(item, (ast.Attribute, ast.Name))), key=_place):
            if dotted := dotted_name(node):
                yield dotted


def _place(node: ast.expr) -> tuple[int, int, int]:
    return node.lineno, node.col_offset, -(node.end_col_offset or 0)
