"""What a change uses and another branch does not have."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..facts.records import Class, Function
from ..facts.source import walk
from . import Project
from .mro import Place, mro, used
from .names import bindings, lookup
from .signatures import function_signature, signature
from .worlds import dotted_name

if TYPE_CHECKING:
    from ..change import Change


class Missing(NamedTuple):
    """One name on a changed line that the base has and the branch has not.

    Args:
        kind: "file", "name", "method" or "keyword".
        name: as people write it: ``EnvBase``, ``EnvBase.close``, ``EnvBase(device=)``.
        home: the file that defines it.
    """

    path: str
    line: int
    kind: str
    name: str
    home: str


def missing(change: Change, branch: Project) -> Iterator[Missing]:
    """Each name once for a file, in the order of its lines; what cannot be resolved is left alone.

    Args:
        branch: the tree that the change is to be brought to.
    """
    for path in change.judged:
        if path not in change.changed or not path.endswith(".py"):
            continue
        former = change.renames.get(path, path)
        if former in change.before.tree and former not in branch.tree:
            yield Missing(path, 1, "file", path, former)
            continue
        seen = set()
        for item in sorted(_Reader(change, branch, path).found(), key=lambda item: item.line):
            if item.name not in seen:
                seen.add(item.name)
                yield item


class _Reader:
    """Looks at the changed lines of one file."""

    def __init__(self, change: Change, branch: Project, path: str) -> None:
        self.project, self.before, self.branch = change.project, change.before, branch
        self.path = path
        self.lines = change.changed_lines(path)
        module = self.project.module(path)
        owners = sorted((*module.functions, *module.classes), key=lambda item: item.line) if module else []
        self.owners = [(item.line, item.end_line, item.qualname) for item in owners]

    def found(self) -> Iterator[Missing]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                nodes = walk(ast.parse(self.project.text(self.path) or ""))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for node in nodes:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    if alias.name != "*" and alias.lineno in self.lines:
                        yield from self.name(alias.asname or alias.name.partition(".")[0], alias.lineno)
            elif isinstance(node, (ast.Name, ast.Attribute)) and node.lineno in self.lines:
                dotted = dotted_name(node)
                if dotted and dotted.startswith("self.") and dotted.count(".") == 1:
                    yield from self.method(dotted[5:], node.lineno)
                elif dotted:
                    yield from self.name(dotted, node.lineno)
            elif isinstance(node, ast.Call) and node.keywords:
                yield from self.keywords(node)

    def scope(self, line: int) -> str:
        """The innermost definition around a line."""
        return next((name for first, last, name in reversed(self.owners) if first <= line <= last), "")

    def name(self, dotted: str, line: int) -> Iterator[Missing]:
        found = lookup(self.project, self.path, dotted, self.scope(line))
        if found is None or not found.path:
            return
        first = found.name.partition(".")[0]
        if not first:
            if found.path not in self.branch.tree and found.path in self.before.tree:
                yield Missing(self.path, line, "name", found.path.removesuffix(".py").replace("/", "."), found.path)
        elif not self.defines(self.branch, found.path, first) and self.defines(self.before, found.path, first):
            yield Missing(self.path, line, "name", first, found.path)

    def method(self, name: str, line: int) -> Iterator[Missing]:
        """A method that the class around has, here and in the base, and not in the branch."""
        scope = self.scope(line)
        sides = []
        for project in (self.project, self.before, self.branch):
            module = project.module(self.path)
            known = [cls for cls in (module.classes if module else ()) if scope.startswith(cls.qualname + ".")]
            links = mro(project, self.path, known[-1]) if known else ()
            home = next((link.path for link in links if link.methods(name)), "")
            sides.append((home, bool(links) and all(link.record is not None for link in links), known))
        (home, _, known), (had, _, _), (has, certain, _) = sides
        if home and had and not has and certain:
            yield Missing(self.path, line, "method", f"{known[-1].name}.{name}", home)

    def keywords(self, node: ast.Call) -> Iterator[Missing]:
        given = [word for word in node.keywords if word.arg and word.lineno in self.lines]
        dotted = dotted_name(node.func) if given else None
        if not dotted:
            return
        places = [used(self.project, self.path, dotted, self.scope(node.lineno))]
        if not isinstance(places[0], Place) or places[0].project is not self.project:
            return
        home, record = places[0].path, places[0].record
        taken = [self.takes(side, home, record) for side in (self.project, self.before, self.branch)]
        for word in given:
            here, base, there = (names is None or word.arg in names for names in taken)
            if here and base and not there:
                yield Missing(self.path, word.lineno, "keyword", f"{record.name}({word.arg}=)", home)

    def takes(self, project: Project, path: str, record: Class | Function) -> frozenset[str] | None:
        """Keywords that a class or function of that name takes; None where others may mean something, too."""
        module = project.module(path)
        every = (*module.classes, *module.functions) if module else ()
        twin = next((item for item in every if item.qualname == record.qualname and type(item) is type(record)), None)
        if twin is None:
            return None
        found = signature(project, path, twin) if isinstance(twin, Class) else function_signature(project, path, twin)
        return None if found.open else frozenset(item.name for item in found.arguments)

    def defines(self, project: Project, path: str, name: str) -> bool:
        """Whether a tree defines a name: in the same file, or at the top of another one."""
        if (bindings(project, path) or {}).get(("", name)):
            return True
        key = ("defines", name)
        if key not in project.memo:
            told = re.compile(
                rf"^(?:(?:async )?def|class) {re.escape(name)}\b|^{re.escape(name)}\s*[:=]".encode(), re.M
            )
            data = (project.tree.read(other) or b"" for other in project.tree.paths(suffix=".py"))
            project.memo[key] = any(name.encode() in text and told.search(text) for text in data)
        return project.memo[key]
