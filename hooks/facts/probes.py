"""Calls that ask whether a package is there, and comparisons of versions, with the conditions that they stand under."""

from __future__ import annotations

import ast

from .records import Comparison, Probe
from .source import Source, first_line

_ASKING = frozenset(("find_spec", "importorskip", "import_module"))
# Plain substrings of the lines that are looked at; everything else of a file is passed over.
_TOKENS = (b"find_spec", b"importorskip", b"import_module", b"version", b"Version", b"VERSION")
_TRY = (ast.Try, getattr(ast, "TryStar", ast.Try))
_BOOLEAN = ("bool", "any", "all")


def probes(tree: ast.Module, source: Source) -> tuple[tuple[Probe, ...], tuple[Comparison, ...]]:
    """The probes and comparisons of a file, in its order."""
    if not source.holding(_TOKENS):
        return (), ()
    walk = _Walk(source)
    walk.block(tree.body, "", ())
    return tuple(walk.probes), tuple(walk.comparisons)


class _Walk:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.probes: list[Probe] = []
        self.comparisons: list[Comparison] = []

    def block(self, body: list[ast.stmt], scope: str, guards: tuple[str, ...]) -> None:
        for node in body:
            if self.source.mentions(first_line(node), node.end_lineno, _TOKENS):
                self.statement(node, scope, guards)

    def statement(self, node: ast.stmt, scope: str, guards: tuple[str, ...]) -> None:
        kind = type(node)
        if kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
            for item in node.decorator_list:
                self.expression(item, "", scope, guards)
            self.block(node.body, f"{scope}.{node.name}" if scope else node.name, guards)
        elif kind in (ast.If, ast.While):
            self.expression(node.test, "if", scope, guards)
            test = self.source.of(node.test)
            self.block(node.body, scope, (*guards, f"if {test}"))
            self.block(node.orelse, scope, (*guards, f"else {test}"))
        elif kind in _TRY:
            caught = " ".join(self.source.of(handler.type) if handler.type else "*" for handler in node.handlers)
            self.block(node.body, scope, (*guards, f"try {caught}"))
            for handler in node.handlers:
                self.block(handler.body, scope, (*guards, "except"))
            self.block([*node.orelse, *node.finalbody], scope, guards)
        elif kind in (ast.Assign, ast.AnnAssign, ast.AugAssign):
            if node.value is not None:
                self.expression(node.value, "set", scope, guards)
        elif kind is ast.Return:
            if node.value is not None:
                self.expression(node.value, "return", scope, guards)
        elif kind is ast.Assert:
            self.expression(node.test, "if", scope, guards)
        elif kind is ast.Match:
            for case in node.cases:
                self.block(case.body, scope, (*guards, "case"))
        elif kind is ast.Expr and type(node.value) is ast.Constant:
            return
        else:
            # With, for, and all statements of expressions alone.
            for child in ast.iter_child_nodes(node):
                for item in (child.context_expr,) if isinstance(child, ast.withitem) else (child,):
                    if isinstance(item, ast.expr):
                        self.expression(item, "", scope, guards)
            self.block([*getattr(node, "body", ()), *getattr(node, "orelse", ())], scope, guards)

    def expression(self, node: ast.expr, use: str, scope: str, guards: tuple[str, ...]) -> None:
        """Keeps what is asked for in an expression; ``use`` says what becomes of its value."""
        if not self.source.mentions(node.lineno, node.end_lineno, _TOKENS):
            return
        kind = type(node)
        if kind is ast.BoolOp:
            word = "if" if type(node.op) is ast.And else "else"
            for value in node.values:
                self.expression(value, use, scope, guards)
                guards = (*guards, f"{word} {self.source.of(value)}")
            return
        if kind is ast.IfExp:
            test = self.source.of(node.test)
            self.expression(node.test, "if", scope, guards)
            self.expression(node.body, use, scope, (*guards, f"if {test}"))
            self.expression(node.orelse, use, scope, (*guards, f"else {test}"))
            return
        if kind is ast.UnaryOp:
            self.expression(node.operand, use, scope, guards)
            return
        if kind is ast.Compare:
            text = self.source.of(node)
            if "version" in text.lower():
                self.comparisons.append(
                    Comparison(
                        text,
                        node.lineno,
                        self.source.column(node),
                        node.end_lineno,
                        scope,
                        guards,
                        use,
                    )
                )
            use = ""
        elif kind is ast.Call:
            called = node.func
            name = called.attr if type(called) is ast.Attribute else called.id if type(called) is ast.Name else ""
            if name in _ASKING:
                given = node.args[0] if node.args else None
                named = given.value if type(given) is ast.Constant and type(given.value) is str else ""
                self.probes.append(
                    Probe(name, named, node.lineno, self.source.column(node), node.end_lineno, scope, guards)
                )
            use = use if name in _BOOLEAN else ""
        elif kind is not ast.NamedExpr and kind is not ast.Tuple:
            use = ""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.comprehension):
                for test in child.ifs:
                    self.expression(test, "if", scope, guards)
                child = child.iter
            elif isinstance(child, ast.keyword):
                child = child.value
            if isinstance(child, ast.expr):
                self.expression(child, use, scope, guards)
