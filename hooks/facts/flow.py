"""How control leaves a function: the part of its body that decides between running, skipping and returning.

A flow is a tuple of statements, each a plain tuple:

    ("if", test, body, orelse)          ("return", expression or "")
    ("try", body, handlers, orelse, finally)    ("skip",)      pytest.skip, SkipTest
    ("handler", body)    only in handlers
    ("loop", body)    may run or not    ("raise",)
    ("set", name, expression or "")     ("check",)     an assertion
                                        ("do",)        any other work

Runs of work are one entry; what comes after the last exit is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from .source import Source

TELLING = (b"skip", b"Skip", b"cuda", b"nccl", b"triton", b"_available")
"""Functions that mention none of these do not decide about skipping and keep no flow."""

_DO, _CHECK = ("do",), ("check",)


def flow(body: Iterable[ast.stmt], source: Source) -> tuple[Any, ...]:
    """The flow of a function's body."""
    statements = _statements(body, source)
    last = max((position for position, statement in enumerate(statements, 1) if _leaves(statement)), default=0)
    return statements[:last]


def _leaves(statement: tuple[Any, ...]) -> bool:
    return statement[0] in ("return", "skip", "raise") or any(
        _leaves(inner) for part in statement[1:] if isinstance(part, tuple) for inner in part
    )


def _statements(body: Iterable[ast.stmt], source: Source) -> tuple[Any, ...]:
    out: list[Any] = []
    for node in body:
        for statement in _statement(node, source):
            if statement is _DO and out and out[-1] is _DO:
                continue
            out.append(statement)
    return tuple(out)


def _statement(node: ast.stmt, source: Source) -> Iterable[Any]:
    if isinstance(node, ast.If):
        yield "if", source.of(node.test), _statements(node.body, source), _statements(node.orelse, source)
    elif isinstance(node, ast.Return):
        yield "return", source.of(node.value) if node.value else ""
    elif isinstance(node, ast.Raise):
        yield ("skip",) if node.exc is not None and _is_skip(node.exc) else ("raise",)
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        yield _CHECK if any(_tail(item.context_expr) in ("raises", "warns") for item in node.items) else _DO
        yield from _unknown(item.optional_vars for item in node.items)
        yield from _statements(node.body, source)
    elif isinstance(node, (ast.Try, getattr(ast, "TryStar", ast.Try))):
        yield (
            "try",
            _statements(node.body, source),
            tuple(("handler", _statements(handler.body, source)) for handler in node.handlers),
            _statements(node.orelse, source),
            _statements(node.finalbody, source),
        )
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
        targets = () if isinstance(node, ast.While) else _unknown([node.target])
        yield "loop", (*targets, *_statements([*node.body, *node.orelse], source))
    elif isinstance(node, ast.Match):
        for case in node.cases:
            yield "loop", _statements(case.body, source)
    elif isinstance(node, ast.Assert):
        yield _CHECK
    elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        yield "set", node.targets[0].id, source.of(node.value)
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)) and isinstance(node.target, ast.Name):
        yield "set", node.target.id, source.of(node.value) if isinstance(node, ast.AnnAssign) and node.value else ""
    elif isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Constant):
            return
        if _is_skip(node.value):
            yield ("skip",)
        else:
            yield _CHECK if _tail(node.value).startswith(("assert", "fail", "check_")) else _DO
    elif not isinstance(
        node, (ast.Pass, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.FunctionDef, ast.ClassDef)
    ):
        yield _DO


def _unknown(targets: Iterable[ast.expr | None]) -> Iterable[Any]:
    """Names that a statement binds to something that is not followed."""
    for target in targets:
        for node in ast.walk(target) if target is not None else ():
            if isinstance(node, ast.Name):
                yield "set", node.id, ""


def _is_skip(node: ast.expr) -> bool:
    return _tail(node) in ("skip", "SkipTest", "skipTest")


def _tail(node: ast.expr) -> str:
    """Last name of what is called: ``pytest.skip(...)`` gives "skip"."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
