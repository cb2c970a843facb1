"""Edits of a file's imports."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import libcst as cst


def with_future_annotations(module: cst.Module) -> cst.Module:
    """The module with ``from __future__ import annotations`` as its first statement after the docstring."""
    import libcst as cst

    statement = cst.parse_statement("from __future__ import annotations\n", module.config_for_parsing)
    body = list(module.body)
    at = 1 if module.get_docstring() is not None else 0
    if at:
        statement = statement.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    if at < len(body):
        lines = body[at].leading_lines
        if not lines or lines[0].comment is not None:
            body[at] = body[at].with_changes(leading_lines=[cst.EmptyLine(indent=False), *lines])
    return module.with_changes(body=[*body[:at], statement, *body[at:]])


def with_import(module: cst.Module, text: str, *, first: bool = False) -> cst.Module:
    """The module with one import more, unless it stands there already.

    Args:
        text: the import statement.
        first: put it before the other imports, after those from ``__future__``; else after the last of them.
    """
    import libcst as cst

    statement = cst.parse_statement(text + "\n", module.config_for_parsing)
    body = list(module.body)
    imports = [at for at, node in enumerate(body) if _is_import(node)]
    if any(body[at].body[0].deep_equals(statement.body[0]) for at in imports):
        return module
    future = [at for at in imports if "__future__" in module.code_for_node(body[at])]
    at = imports[-1] + 1 if imports else 1 if module.get_docstring() is not None else 0
    if first and imports:
        at = future[-1] + 1 if future else imports[0]
        lines = body[at].leading_lines if at < len(body) else ()
        if lines and lines[0].comment is None:
            # The blank line that parted what comes next from the line above now parts it from the new one.
            statement = statement.with_changes(leading_lines=lines[:1])
            if _is_import(body[at]) and _is_standard(module, body[at]):
                body[at] = body[at].with_changes(leading_lines=lines[1:])
        elif at < len(body) and not _is_standard(module, body[at]):
            body[at] = body[at].with_changes(leading_lines=[cst.EmptyLine(indent=False), *lines])
    return module.with_changes(body=[*body[:at], statement, *body[at:]])


def _is_import(node: cst.CSTNode) -> bool:
    import libcst as cst

    return (
        isinstance(node, cst.SimpleStatementLine)
        and len(node.body) == 1
        and isinstance(node.body[0], (cst.Import, cst.ImportFrom))
    )


def _is_standard(module: cst.Module, node: cst.CSTNode) -> bool:
    """Whether an import is of the standard library, whose imports stand together."""
    return module.code_for_node(node).split()[1].partition(".")[0] in sys.stdlib_module_names
