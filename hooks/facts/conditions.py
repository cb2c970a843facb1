"""What a condition compares a plain name with: the strings that a parameter can be."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .records import Choice
from .source import Source

_DISPLAYS = (ast.Tuple, ast.List, ast.Set)
_EQUAL = (ast.Eq, ast.NotEq)
_WITHIN = (ast.In, ast.NotIn)


def choices(test: ast.expr, source: Source, scope: str) -> Iterator[Choice]:
    """The comparisons in a condition that tell a name's possible values."""
    kind = type(test)
    if kind is ast.BoolOp:
        for value in test.values:
            yield from choices(value, source, scope)
    elif kind is ast.UnaryOp:
        yield from choices(test.operand, source, scope)
    elif kind is ast.Compare and type(test.left) is ast.Name and len(test.ops) == 1:
        among = test.comparators[0]
        if isinstance(test.ops[0], _EQUAL):
            told = _is_string(among)
        else:
            told = isinstance(test.ops[0], _WITHIN) and (
                isinstance(among, (ast.Name, ast.Attribute))
                or (isinstance(among, _DISPLAYS) and all(map(_is_string, among.elts)))
            )
        if told:
            yield Choice(test.left.id, source.of(among), test.lineno, scope)


def cases(node: ast.Match, source: Source, scope: str) -> Iterator[Choice]:
    """The strings that a match statement on a name lists."""
    if type(node.subject) is ast.Name:
        for case in node.cases:
            patterns = case.pattern.patterns if isinstance(case.pattern, ast.MatchOr) else [case.pattern]
            for pattern in patterns:
                if isinstance(pattern, ast.MatchValue) and _is_string(pattern.value):
                    yield Choice(node.subject.id, source.of(pattern.value), pattern.lineno, scope)


def _is_string(node: ast.expr) -> bool:
    return type(node) is ast.Constant and type(node.value) is str
