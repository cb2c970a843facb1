"""The body of one function as a syntax tree: parsed when asked for, and nothing else of its file."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache

from ..facts.records import Class, Function
from . import Project


def lines(project: Project, path: str) -> list[str]:
    """Lines of a file with their ends, empty where it cannot be read."""
    key = ("lines", path)
    if key not in project.memo:
        project.memo[key] = (project.text(path) or "").splitlines(keepends=True)
    return project.memo[key]


def source(project: Project, path: str, record: Function | Class) -> str:
    """Source of a definition, decorators left out."""
    return "".join(lines(project, path)[record.line - 1 : record.end_line])


def body(project: Project, path: str, function: Function) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """A function's syntax tree; at module level its lines count from the ``def``, which is line 1."""
    return _parsed(source(project, path, function), function.column > 1)


def docstring(project: Project, path: str, record: Function | Class) -> str:
    """Lines of a definition's docstring, quotes included; "" where it has none."""
    return "".join(lines(project, path)[record.doc[0] - 1 : record.doc[1]]) if record.doc else ""


@lru_cache(maxsize=4096)
def _parsed(text: str, indented: bool) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    # Under an if of its own an indented definition keeps its text, strings of several lines included.
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse("if 1:\n" + text if indented else text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = tree.body[0].body[0] if indented else tree.body[0]
    return found if isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
