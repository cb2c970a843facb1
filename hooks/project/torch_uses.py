"""What some lines of a file use of torch that the oldest supported torch does not have, or that asks for a version."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from ..facts.source import walk
from . import Project
from .tests import is_test_file
from .torch_symbols import last_names, newer, newer_keyword
from .worlds import dotted_name

_CATCHES = re.compile(r"\b(ImportError|ModuleNotFoundError|AttributeError|TypeError|Exception|BaseException)\b")
_TELLING = re.compile(r"implement_for|hasattr|find_spec|ImportError|compile|export|mp_start_method|ersion")
_NAME = re.compile(r"(?P<any>[A-Za-z_]\w*)")
_USED = re.compile(r"\.\s*(?P<attribute>\w+)|(?P<keyword>\w+)\s*=(?!=)")
_VERSION = re.compile(r"__version__|\w*VERSION\w*|implement_for|version\.parse|parse_version")
_HOPS = 3


class Use(NamedTuple):
    """One reason to run the oldest torch.

    Args:
        guarded: something chooses another way where the name is missing; None where that is not the question.
    """

    line: int
    reason: str
    guarded: bool | None


def uses(project: Project, path: str, lines: dict[int, str]) -> list[Use]:
    """The reasons in some lines of a file, each once."""
    text = "\n".join(lines.values())
    # An attribute, a keyword, or anything of an import: the same word alone is a name of the file's own.
    names = {found[found.lastgroup] for found in (_NAME if "import" in text else _USED).finditer(text)}
    if not (names and names & last_names() or _TELLING.search(text)):
        return []
    try:
        tree = ast.parse(project.text(path) or "")
    except (SyntaxError, ValueError, RecursionError):
        return []
    walk = _Walk(project, path, set(lines), tree)
    walk.visit_body(tree.body, False, False)
    found: dict[str, Use] = {}
    for use in walk.found:
        found.setdefault(use.reason, use)
    return list(found.values())


class _Walk:
    def __init__(self, project: Project, path: str, lines: set[int], tree: ast.Module) -> None:
        self.project = project
        self.lines = lines
        self.is_test = is_test_file(path, project.profile["tests"])
        self.found: list[Use] = []
        nodes = walk(tree)
        self.names = _imported(nodes)
        self.types = _Types(self.names, nodes)

    def add(self, node: ast.AST, reason: str, guarded: bool | None) -> None:
        self.found.append(Use(node.lineno, reason, guarded))

    def visit_body(self, body: list[ast.stmt], guarded: bool, gated: bool) -> None:
        for node in body:
            self.visit(node, guarded, gated)

    def visit(self, node: ast.AST, guarded: bool, gated: bool) -> None:
        """Visits a node.

        Args:
            guarded: another way is taken where a name is missing.
            gated: a test's or class's marks speak of a version.
        """
        kind = type(node)
        if kind is ast.FunctionDef or kind is ast.AsyncFunctionDef or kind is ast.ClassDef:
            marks = " ".join(map(ast.unparse, node.decorator_list))
            gated = gated or _VERSION.search(marks) is not None
            guarded = guarded or gated
            if (
                kind is not ast.ClassDef
                and self.is_test
                and node.name.startswith("test")
                and node.lineno in self.lines
                and not gated
            ):
                self.new_test(node)
        elif kind is ast.Try:
            caught = any(
                handler.type is None or _CATCHES.search(ast.unparse(handler.type)) for handler in node.handlers
            )
            self.visit_body(node.body, guarded or caught, gated)
            for handler in node.handlers:
                self.visit_body(handler.body, True, gated)
            self.visit_body([*node.orelse, *node.finalbody], guarded or caught, gated)
            return
        elif kind is ast.If or kind is ast.IfExp:
            test = ast.unparse(node.test)
            asks = bool(_VERSION.search(test) or "hasattr" in test or re.search(r"\b_?(?:has|HAS)_\w+", test))
            self.visit(node.test, guarded, gated)
            for part in (node.body, node.orelse):
                for inner in part if isinstance(part, list) else [part]:
                    self.visit(inner, guarded or asks, gated)
            return
        if getattr(node, "lineno", None) in self.lines:
            self.judge(node, guarded)
        if kind is ast.Attribute and self.resolved(node):
            return
        for child in ast.iter_child_nodes(node):
            self.visit(child, guarded, gated)

    def judge(self, node: ast.AST, guarded: bool) -> None:
        kind = type(node)
        if kind is ast.Attribute and (name := self.resolved(node)):
            self.symbol(node, name, guarded)
        elif kind is ast.ImportFrom and not node.level and (node.module or "").partition(".")[0] == "torch":
            for alias in node.names:
                self.symbol(node, f"{node.module}.{alias.name}", guarded)
            if guarded:
                self.add(node, f"{node.module} is imported in a try, so what it holds differs between releases", True)
        elif kind is ast.Import:
            for alias in node.names:
                if alias.name.partition(".")[0] == "torch":
                    self.symbol(node, alias.name, guarded)
        elif kind is ast.Call:
            self.call(node, guarded)
        elif kind is ast.Compare:
            text = ast.unparse(node)
            if "torch" in text.lower() and _VERSION.search(text):
                self.add(node, f"{text} branches on the version of torch", None)

    def call(self, node: ast.Call, guarded: bool) -> None:
        name = dotted_name(node.func)
        last = name.rpartition(".")[2]
        first = node.args[0] if node.args else None
        text = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
        if last == "implement_for" and text == "torch":
            self.add(node, f"{ast.unparse(node)} chooses by the version of torch", None)
        elif last == "hasattr" and first is not None and (self.resolved(first) or "").partition(".")[0] == "torch":
            self.add(node, f"{ast.unparse(node)} chooses by what torch has", None)
        elif last == "find_spec" and "." in text:
            self.add(node, f"find_spec({text!r}) raises where {text.rpartition('.')[0]} is missing", None)
        function = self.resolved(node.func)
        for word in node.keywords if function else ():
            since = newer_keyword(self.project, function, word.arg) if word.arg else ""
            if since:
                self.add(node, f"{function} takes {word.arg} since torch {since}", guarded)
        if isinstance(node.func, ast.Attribute) and (owner := self.types.of(node.func.value)):
            method = f"{owner}.{node.func.attr}"
            if since := newer(self.project, method):
                # A method of the extension may be older than the stub that tells of it.
                self.add(node, f"{method} stands in torch's files since {since} only", guarded)

    def symbol(self, node: ast.AST, name: str, guarded: bool) -> None:
        since = newer(self.project, name)
        if since:
            self.add(node, f"{name} exists since torch {since}", guarded)

    def new_test(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for inner in walk(node):
            if not isinstance(inner, ast.Call):
                continue
            name = self.resolved(inner.func) or dotted_name(inner.func)
            if name in ("torch.compile", "torch.export.export") or (
                isinstance(inner.func, ast.Attribute)
                and inner.func.attr == "compile"
                and name.partition(".")[0] not in ("re", "builtins")
            ):
                self.add(node, f"the new {node.name} compiles, for every torch", None)
                return

    def resolved(self, node: ast.AST) -> str:
        """The dotted name in torch that an expression spells; "" for anything else."""
        name = dotted_name(node) if isinstance(node, (ast.Attribute, ast.Name)) else ""
        first, dot, rest = name.partition(".")
        return f"{self.names[first]}{dot}{rest}" if first in self.names else ""


class _Types:
    """Names and attributes that hold an instance of a class of torch, as far as one assignment or annotation tells."""

    def __init__(self, names: dict[str, str], nodes: list[ast.AST]) -> None:
        self.names = names
        self.known: dict[str, str] = {}
        assignments: list[tuple[str, ast.expr]] = []
        for node in nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                assignments.append((_key(node.targets[0]), node.value))
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                assignments += [
                    (f"{node.name}()", item.value) for item in walk(node) if isinstance(item, ast.Return) and item.value
                ]
                for given in (*node.args.args, *node.args.kwonlyargs):
                    if given.annotation is not None and (found := self.resolved(given.annotation)):
                        self.known[given.arg] = found
        for _ in range(_HOPS):
            for key, value in assignments:
                if key and key not in self.known and (found := self.of(value)):
                    self.known[key] = found

    def of(self, node: ast.expr) -> str:
        """The class whose instance an expression gives; "" where that is not known."""
        if isinstance(node, ast.Call):
            found = self.resolved(node.func)
            if found and found.rpartition(".")[2][:1].isupper():
                return found
            key = _key(node.func)
            return self.known.get(f"{key.rpartition('.')[2]}()", "") if key else ""
        return self.known.get(_key(node), "")

    def resolved(self, node: ast.expr) -> str:
        name = dotted_name(node)
        first, dot, rest = name.partition(".")
        return f"{self.names[first]}{dot}{rest}" if first in self.names else ""


def _key(node: ast.AST) -> str:
    return dotted_name(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""


def _imported(nodes: list[ast.AST]) -> dict[str, str]:
    """Name -> what of torch it stands for, wherever the file imports it."""
    found: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "torch":
                    found[alias.asname or "torch"] = alias.name if alias.asname else "torch"
        elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] == "torch":
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found
