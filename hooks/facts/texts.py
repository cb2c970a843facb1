"""The docstrings of a syntax tree, each with the line of the file that its own lines stand on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from .source import parse

_DEFINITIONS = {ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef}
_COMPOUND = {
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Match),
    *(ast.Try, getattr(ast, "TryStar", ast.Try)),
}


class Text(NamedTuple):
    """One docstring.

    Args:
        scope: qualified name of what it documents, "" for the module.
        line: where that is defined, to tell definitions of one name apart; 1 for the module.
        text: without the indentation that it shares.
        first: line of the file that the first line of ``text`` stands on.
        exact: whether each further line of ``text`` is one line of the file; escapes may break that.
    """

    scope: str
    line: int
    text: str
    first: int
    exact: bool

    def at(self, line: int) -> int:
        """Line of the file for a line of the text, from 1."""
        return self.first + line - 1 if self.exact else self.first


def texts(data: bytes) -> tuple[ast.Module | None, list[Text]]:
    """A file's tree, and its docstrings in order; nothing for what Python cannot read."""
    try:
        _, tree = parse(data)
        return tree, list(_texts(tree, ""))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None, []


def _texts(node: ast.AST, scope: str) -> Iterator[Text]:
    body = node.body
    value = body[0].value if body and isinstance(body[0], ast.Expr) else None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        exact = value.value.count("\n") == value.end_lineno - value.lineno
        yield Text(scope, getattr(node, "lineno", 1), _dedented(value.value), value.lineno, exact)
    for child in _definitions(body):
        yield from _texts(child, f"{scope}.{child.name}" if scope else child.name)


def _definitions(body: list[ast.stmt]) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """Classes and functions of a block, those under if, with or try included; expressions have none."""
    for node in body:
        if type(node) in _DEFINITIONS:
            yield node
        elif type(node) in _COMPOUND:
            for name in ("body", "orelse", "finalbody"):
                if inner := getattr(node, name, None):
                    yield from _definitions(inner)
            for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                yield from _definitions(part.body)


def _dedented(text: str) -> str:
    """As ``inspect.cleandoc``, with every line kept."""
    lines = text.expandtabs().split("\n")
    margin = min((len(line) - len(bare) for line in lines[1:] if (bare := line.lstrip())), default=0)
    return "\n".join([lines[0].lstrip(), *(line[margin:] for line in lines[1:])])
