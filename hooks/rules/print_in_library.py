"""``print()`` in library code, and printed prose in tutorials.

What it protects: the output of programs that use the library. A logger can be silenced, redirected and
filtered; a print cannot. In a tutorial the page is the comments, so a print of a sentence is a warning. A caption
of the output that follows ("Keys:"), and what a page cannot say because it depends on the run (in a function, a
loop, an ``if`` or a handler), is left alone.

Bad:

    def reset(self):
        print("resetting")

Good:

    from torchrl._utils import logger as torchrl_logger


    def reset(self):
        torchrl_logger.info("resetting")

How to fix: log it. In a tutorial write the sentence as a comment, and print values only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..facts.records import Print
from ..finding import Finding
from ..project import Project
from ..project.names import lookup
from ..project.worlds import parse
from ._imports import with_import

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "A print() in library code, or of plain text in a tutorial"
SEVERITY = "error"
SECTION = "3, 9"
CONCERNS = ("package", "tutorials")
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    statement = project.profile["logger"]
    for path in change.judged_under(project.profile["package"], ".py"):
        for item, number in _prints(project, path):
            yield Finding(
                path,
                item.line,
                "print",
                f"Library code prints{_where(item)}; nobody can silence or redirect that",
                f"Use the logger: {statement}.",
                text=item.call,
                column=item.column,
                end_line=item.end_line,
                fix=_fix(project, path, item, number),
            )
    for path in change.judged_under(project.profile["tutorials"], ".py"):
        for item, _ in _prints(project, path):
            if _is_prose(item):
                yield Finding(
                    path,
                    item.line,
                    "print",
                    "The tutorial prints a sentence that the page would show as prose",
                    "Write it as a comment.",
                    text=item.call,
                    severity="warning",
                    column=item.column,
                    end_line=item.end_line,
                )


def _prints(project: Project, path: str) -> Iterator[tuple[Print, int]]:
    """Calls of the builtin, and which of several with the same text each one is."""
    module = project.module(path)
    if module is None or not module.prints or lookup(project, path, "print") is not None:
        return
    seen: dict[str, int] = {}
    for item in sorted(module.prints, key=lambda item: (item.line, item.column)):
        number = seen[item.call] = seen.get(item.call, -1) + 1
        if lookup(project, path, "print", item.scope) is None:
            yield item, number


def _is_prose(item: Print) -> bool:
    """Whether a print of a tutorial says something that the page could say in its place."""
    if item.scope or any(guard != "with" and not guard.startswith("try ") for guard in item.guards):
        return False
    call = parse(item.call)
    if call is None or call.keywords or not all(isinstance(argument, ast.Constant) for argument in call.args):
        return False
    text = " ".join(str(argument.value) for argument in call.args).strip()
    return any(map(str.isalpha, text)) and not text.endswith(":")


def _where(item: Print) -> str:
    return f" in {item.scope}" if item.scope else ""


def _fix(project: Project, path: str, item: Print, number: int) -> tuple[str, int, str, str] | None:
    """Source of the call, its number, the logger's name here and the import that brings it, if one is needed."""
    statement = project.profile["logger"]
    name, call = statement.rpartition(" ")[2], parse(item.call)
    meant = [
        other.bound
        for other in project.module(path).imports
        if not other.scope and not other.guards and other.name in ("logger", name) and other.bound == name
    ]
    source = statement.split()[1].replace(".", "/")
    plain = call is not None and len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)
    if (
        not plain
        or path in (f"{source}.py", f"{source}/__init__.py")
        or (not meant and lookup(project, path, name) is not None)
    ):
        return None
    return item.call, number, name, "" if meant else statement


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Logs what is printed."""
    import libcst as cst

    text, number, name, statement = finding.fix
    logged = f"{name}.info{text.removeprefix('print')}"

    class Edit(cst.CSTTransformer):
        seen = -1

        def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
            # Those that an earlier repair has changed count as well, so that the numbers stay right.
            if not isinstance(original_node.func, (cst.Name, cst.Attribute)) or module.code_for_node(
                original_node
            ) not in (text, logged):
                return updated_node
            self.seen += 1
            if self.seen != number or not isinstance(original_node.func, cst.Name):
                return updated_node
            return updated_node.with_changes(func=cst.Attribute(cst.Name(name), cst.Name("info")))

    after = module.visit(Edit())
    if after.deep_equals(module):
        return None
    return with_import(after, statement) if statement else after
