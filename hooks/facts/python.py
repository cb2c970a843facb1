"""Bytes of a Python file -> its records: one parse, one walk over statements."""

from __future__ import annotations

import ast
import io
import re
import tokenize

from .comments import IGNORE, suppression
from .conditions import cases, choices
from .emoji import emoji
from .flow import TELLING, flow
from .probes import probes
from .records import (
    Assign,
    Attribute,
    Choice,
    Citation,
    Class,
    Decorator,
    Failure,
    Function,
    Import,
    Module,
    Note,
    Parameter,
    Print,
    Suppression,
    Warn,
)
from .source import Source, parse

MAX_BYTES = 2_000_000
"""Larger files are generated; six times the largest file of pytorch/rl."""

_WARNS = re.compile(r"warn|deprec", re.IGNORECASE)
# Plain substrings: a regular expression over every byte would cost a quarter of the parse.
_DATES = (b".. deprecated::", b"v0.", b"ersion 0.", b"elease 0.", b"rl 0.")
_DEVICE = (b"device",)
_PAPER = re.compile(r"\bet al\b|\b[Pp]aper\b")
_LINK = re.compile(r"https?://|ar[xX]iv")
_CONFIG_ROLE = re.compile(rb":\w+:\s*`(?:[^`<]*<)?\s*[~!]?\s*([\w.\s]*Config)\s*>?`")
_TRY = (ast.Try, getattr(ast, "TryStar", ast.Try))
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def module(data: bytes) -> Module:
    """Facts of one Python file.

    Args:
        data: the file, in whatever encoding it declares.

    Returns:
        Its records; ``failure`` says why there are none.
    """
    if len(data) > MAX_BYTES:
        return _failed("limit", f"larger than {MAX_BYTES // 1_000_000} MB")
    try:
        text, tree = parse(data)
        source = Source(text)
        walk = _Walk(source)
        walk.document(tree, "")
        walk.block(tree.body, "", (), False)
        asked, compared = probes(tree, source)
    except SyntaxError as error:
        return _failed("syntax", error.msg, error.lineno, max(error.offset or 1, 1))
    except (RecursionError, MemoryError):
        return _failed("limit", "nested too deeply")
    except ValueError as error:
        return _failed("syntax", str(error))
    return Module(
        None,
        _doc(tree),
        tuple(walk.imports),
        tuple(walk.assigns),
        tuple(walk.functions),
        tuple(walk.classes),
        suppressions(text) if "preflight:" in text else (),
        len(source.lines),
        tuple(walk.warns),
        tuple(walk.notes),
        flow=flow(tree.body, source) if b"allow_module_level" in data else (),
        prints=tuple(walk.prints),
        attributes=tuple(walk.attributes),
        choices=tuple(walk.choices),
        citations=tuple(walk.citations),
        emoji=emoji(text),
        probes=asked,
        comparisons=compared,
    )


def suppressions(text: str) -> tuple[Suppression, ...]:
    """The suppression comments of a Python text; the same words in a string are not one."""
    found = []
    try:
        # Line ends as the parser sees them, so that lines are counted alike.
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if token.type == tokenize.COMMENT and (match := IGNORE.search(token.string)):
                found.append(suppression(match, token.start[0], not token.line[: token.start[1]].strip()))
    except (tokenize.TokenError, SyntaxError):
        pass  # the parser takes some ends of a file that the tokenizer does not; no comment comes after them
    return tuple(found)


def _failed(kind: str, message: str, line: int | None = None, column: int = 1) -> Module:
    return Module(Failure(kind, message, line, column), None, (), (), (), (), (), 0)


def _doc(node: ast.Module | ast.FunctionDef | ast.ClassDef) -> tuple[int, int] | None:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.lineno, first.end_lineno
    return None


def _named_warning(node: ast.expr) -> bool:
    if type(node) is not ast.Call:
        return False
    called = node.func
    name = called.attr if type(called) is ast.Attribute else called.id if type(called) is ast.Name else ""
    return _WARNS.search(name) is not None


class _Walk:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.warns: list[Warn] = []
        self.notes: list[Note] = []
        self.prints: list[Print] = []
        self.attributes: list[Attribute] = []
        self.choices: list[Choice] = []
        self.citations: list[Citation] = []
        self.imports: list[Import] = []
        self.assigns: list[Assign] = []
        self.functions: list[Function] = []
        self.classes: list[Class] = []

    def block(self, body: list[ast.stmt], scope: str, guards: tuple[str, ...], inside: bool) -> None:
        """Records what a block defines; ``inside`` a function only definitions and imports count."""
        for node in body:
            kind = type(node)
            if kind is ast.Expr:
                if _named_warning(node.value):
                    call, column = self.source.of(node.value), self.source.column(node)
                    self.warns.append(Warn(call, node.lineno, column, node.end_lineno, scope, guards))
                elif type(node.value) is not ast.Constant:
                    self.printed(node.value, scope, guards)
                continue
            if kind is ast.Assign:
                for target in node.targets:
                    if not inside:
                        self.target(target, "=", node.value, None, node, scope, guards)
                    elif type(target) is ast.Attribute:
                        self.attribute(target, node, scope, guards)
            elif kind in _DEFINITIONS:
                self.definition(node, scope, guards)
            elif kind is ast.If:
                test = self.source.of(node.test)
                if inside:
                    self.choices += choices(node.test, self.source, scope)
                self.block(node.body, scope, (*guards, f"if {test}"), inside)
                if node.orelse:
                    self.block(node.orelse, scope, (*guards, f"else {test}"), inside)
            elif kind is ast.Import:
                for alias in node.names:
                    bound = alias.asname or alias.name.partition(".")[0]
                    self.imported(node, alias.name, "", bound, 0, scope, guards)
            elif kind is ast.ImportFrom:
                for alias in node.names:
                    self.imported(
                        node, node.module or "", alias.name, alias.asname or alias.name, node.level, scope, guards
                    )
            elif kind in _TRY:
                caught = " ".join(self.source.of(handler.type) if handler.type else "*" for handler in node.handlers)
                self.block(node.body, scope, (*guards, f"try {caught}"), inside)
                for handler in node.handlers:
                    name = self.source.of(handler.type) if handler.type else "*"
                    self.block(handler.body, scope, (*guards, f"except {name}"), inside)
                self.block(node.orelse, scope, (*guards, f"try {caught}"), inside)
                self.block(node.finalbody, scope, (*guards, "finally"), inside)
            elif kind is ast.AnnAssign or kind is ast.AugAssign:
                if not inside:
                    annotation, op = (
                        (None, "+=") if kind is ast.AugAssign else (node.annotation, "=" if node.value else ":")
                    )
                    self.target(node.target, op, node.value, annotation, node, scope, guards)
                elif type(node.target) is ast.Attribute:
                    self.attribute(node.target, node, scope, guards)
            elif kind is ast.With or kind is ast.AsyncWith:
                self.block(node.body, scope, (*guards, "with"), inside)
            elif kind is ast.For or kind is ast.While or kind is ast.AsyncFor:
                self.block(node.body, scope, (*guards, "loop"), inside)
                self.block(node.orelse, scope, (*guards, "loop"), inside)
            elif kind is ast.Assert:
                if inside:
                    self.choices += choices(node.test, self.source, scope)
            elif kind is ast.Match:
                if inside:
                    self.choices += cases(node, self.source, scope)
                for case in node.cases:
                    self.block(case.body, scope, (*guards, "case"), inside)

    def printed(self, value: ast.expr, scope: str, guards: tuple[str, ...]) -> None:
        """Keeps calls of print; one that is an argument of something else does not stand for itself."""
        calls = [value] if type(value) is ast.Call else ast.walk(value)
        for call in calls:
            if type(call) is ast.Call and type(call.func) is ast.Name and call.func.id == "print":
                self.prints.append(
                    Print(self.source.of(call), call.lineno, self.source.column(call), call.end_lineno, scope, guards)
                )

    def attribute(
        self,
        target: ast.Attribute,
        node: ast.Assign | ast.AnnAssign | ast.AugAssign,
        scope: str,
        guards: tuple[str, ...],
    ) -> None:
        """Keeps an assignment to an attribute of a plain name if its lines speak of a device."""
        if type(target.value) is ast.Name and self.source.mentions(node.lineno, node.end_lineno, _DEVICE):
            value = self.source.of(node.value) if node.value else ""
            self.attributes.append(
                Attribute(
                    target.value.id,
                    target.attr,
                    value,
                    node.lineno,
                    self.source.column(node),
                    node.end_lineno,
                    scope,
                    guards,
                )
            )

    def cited(self, node: ast.ClassDef, qualname: str) -> None:
        """Keeps a class whose docstring speaks of a paper without saying where it is."""
        text = node.body[0].value.value if _doc(node) else ""
        spoken = "et al" in text or "aper" in text
        if spoken and (words := _PAPER.search(text)) and not _LINK.search(text):
            self.citations.append(Citation(qualname, node.lineno, words[0]))

    def document(self, node: ast.Module | ast.FunctionDef | ast.ClassDef, scope: str) -> None:
        """Keeps the paragraphs of a docstring that speak of a release."""
        doc = _doc(node) if self.source.holding(_DATES) else None
        if doc is None or not self.source.mentions(*doc, _DATES):
            return
        lines = self.source.lines[doc[0] - 1 : doc[1]]
        start = 0
        for end in range(1, len(lines) + 1):
            if end < len(lines) and lines[end].strip():
                continue
            paragraph = b"".join(lines[start:end])
            # The text of a directive may follow after a blank line.
            if not paragraph.strip() or paragraph.strip().endswith(b"::"):
                start = start if paragraph.strip() else end
            else:
                if any(date in paragraph for date in _DATES):
                    self.notes.append(Note(paragraph.decode(), doc[0] + start, scope))
                start = end + 1

    def imported(
        self, node: ast.stmt, module: str, name: str, bound: str, level: int, scope: str, guards: tuple[str, ...]
    ) -> None:
        column = self.source.column(node)
        self.imports.append(Import(module, name, bound, level, node.lineno, column, node.end_lineno, scope, guards))

    def target(
        self,
        target: ast.expr,
        op: str,
        value: ast.expr | None,
        annotation: ast.expr | None,
        node: ast.stmt,
        scope: str,
        guards: tuple[str, ...],
    ) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            same = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
            for position, element in enumerate(target.elts):
                # A value that cannot be taken apart binds its names to nothing known.
                self.target(element, op, value.elts[position] if same else None, annotation, node, scope, guards)
        elif isinstance(target, ast.Name):
            of = self.source.of
            self.assigns.append(
                Assign(
                    target.id,
                    op,
                    of(value) if value else "",
                    of(annotation) if annotation else "",
                    node.lineno,
                    self.source.column(node),
                    node.end_lineno,
                    scope,
                    guards,
                )
            )

    def definition(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, scope: str, guards: tuple[str, ...]
    ) -> None:
        source = self.source
        qualname = f"{scope}.{node.name}" if scope else node.name
        decorators = tuple(Decorator(source.of(item), item.lineno, item.end_lineno) for item in node.decorator_list)
        column = source.column(node)
        self.document(node, qualname)
        if isinstance(node, ast.ClassDef):
            self.cited(node, qualname)
            self.classes.append(
                Class(
                    node.name,
                    qualname,
                    node.lineno,
                    column,
                    node.end_lineno,
                    decorators,
                    tuple(source.of(base) for base in node.bases),
                    tuple(f"{word.arg or '**'}={source.of(word.value)}" for word in node.keywords),
                    _doc(node),
                    guards,
                    self.configs(_doc(node)),
                )
            )
            self.block(node.body, qualname, guards, False)
            return
        self.functions.append(
            Function(
                node.name,
                qualname,
                node.lineno,
                column,
                node.end_lineno,
                isinstance(node, ast.AsyncFunctionDef),
                decorators,
                tuple(self.parameters(node.args)),
                source.of(node.returns) if node.returns else "",
                flow(node.body, source) if source.mentions(node.lineno, node.end_lineno, TELLING) else (),
                _doc(node),
                guards,
            )
        )
        self.block(node.body, qualname, guards, True)

    def configs(self, doc: tuple[int, int] | None) -> tuple[str, ...]:
        """Configs that a docstring refers to, on one line or two."""
        text = b"".join(self.source.lines[doc[0] - 1 : doc[1]]) if doc else b""
        if b"Config" not in text:
            return ()
        return tuple(re.sub(rb"\s", b"", name).rpartition(b".")[2].decode() for name in _CONFIG_ROLE.findall(text))

    def parameters(self, arguments: ast.arguments) -> list[Parameter]:
        plain = [(argument, "/") for argument in arguments.posonlyargs] + [
            (argument, "") for argument in arguments.args
        ]
        defaults = [None] * (len(plain) - len(arguments.defaults)) + arguments.defaults
        out = [self.parameter(argument, kind, default) for (argument, kind), default in zip(plain, defaults)]
        if arguments.vararg:
            out.append(self.parameter(arguments.vararg, "*", None))
        out += [
            self.parameter(*item)
            for item in zip(arguments.kwonlyargs, "k" * len(arguments.kwonlyargs), arguments.kw_defaults)
        ]
        if arguments.kwarg:
            out.append(self.parameter(arguments.kwarg, "**", None))
        return out

    def parameter(self, argument: ast.arg, kind: str, default: ast.expr | None) -> Parameter:
        of = self.source.of
        return Parameter(
            argument.arg,
            kind,
            of(default) if default is not None else None,
            of(argument.annotation) if argument.annotation else "",
        )
