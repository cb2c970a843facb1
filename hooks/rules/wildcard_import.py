"""``from x import *``.

What it protects: that a reader, and a tool, can tell where a name comes from, and that a name added
to the other module cannot replace one here.

Bad:

    from torchrl.envs import *

    env = GymEnv("Pendulum-v1")

Good:

    from torchrl.envs import GymEnv

    env = GymEnv("Pendulum-v1")

How to fix: name what the file uses. A file that imports only for the sake of what the other module does
when it is imported takes ``import x`` instead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..facts.records import Import, Module
from ..finding import Finding
from ..project import Project
from ..project.names import importers, module_path
from ..project.public import exported
from ..project.vendored import vendored

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "A wildcard import"
SEVERITY = "error"
SECTION = "1"
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged:
        module = project.module(path) if path.endswith(".py") else None
        for item in module.imports if module else ():
            if item.name == "*" and not vendored(project, path) and not _is_old_name(module):
                name = "." * item.level + item.module
                yield Finding(
                    path,
                    item.line,
                    name,
                    f"from {name} import * hides which names this file takes from {name}",
                    f"Import by name what the file uses of {name}.",
                    text=f"from {name} import *",
                    column=item.column,
                    fix=_used(project, path, item),
                )


def _is_old_name(module: Module) -> bool:
    """Whether a module only warns that it has moved and hands on what is there now."""
    warned = any("DeprecationWarning" in item.call and not item.scope for item in module.warns)
    return warned and not module.functions and not module.classes


def _used(project: Project, path: str, item: Import) -> tuple[str, int, tuple[str, ...]] | None:
    """Module, level and names that the file itself takes; None where others may take some through it."""
    package = project.profile["package"] + "/"
    source = module_path(project, item.module, item.level, path)
    tree = _parsed(project.text(path) or "")
    if source is None or tree is None or item.scope or path.startswith(package) or path.endswith("/__init__.py"):
        return None
    if sum(other.name == "*" for other in project.module(path).imports) > 1:
        return None
    siblings = [other for other in project.tree.paths(path.rpartition("/")[0], ".py") if other != path]
    if any(importers(project, {path}, siblings)):
        return None
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    offered = exported(project, source)
    if any(name in strings for name in offered) or names & {"globals", "locals", "eval", "exec", "vars"}:
        return None
    return item.module, item.level, tuple(sorted(names & set(offered)))


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Names what is imported, or imports the module alone where nothing of it is used."""
    import libcst as cst

    dotted, level, names = finding.fix

    class Edit(cst.CSTTransformer):
        def leave_SimpleStatementLine(
            self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
        ) -> cst.SimpleStatementLine:
            small = updated_node.body[0]
            if not isinstance(small, cst.ImportFrom) or not isinstance(small.names, cst.ImportStar):
                return updated_node
            if not names and level:
                return updated_node
            text = f"from {'.' * level}{dotted} import {', '.join(names)}" if names else f"import {dotted}"
            code = _without_star(cst.Module([]).code_for_node(updated_node.trailing_whitespace).strip(), bool(names))
            line = cst.parse_statement(f"{text}{'  ' + code if code else ''}\n")
            return line.with_changes(leading_lines=updated_node.leading_lines)

    after = module.visit(Edit())
    return None if after.deep_equals(module) else after


def _without_star(comment: str, used: bool) -> str:
    """The comment of the line without what silenced other linters about the star."""
    if not comment.startswith("# noqa"):
        return comment
    return "" if used else "# noqa: F401"
