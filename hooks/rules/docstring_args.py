"""The arguments that a public docstring describes are not those that are taken.

What it protects: the reader, who passes what the page names and gets a TypeError, or never learns of an argument.

Arguments may be described in the class or in its ``__init__``; a dataclass takes its fields. What passes through ``*args`` or
``**kwargs``, a metaclass or a decorator may take any name, and a name that is a property is no mistake. Protocols describe a
call and are not judged. A missing section, another default than the signature's, and arguments of an inherited constructor are
warnings.

Bad:

    class MyEnv(EnvBase):
        \"\"\"A grid.

        Args:
            sizes (int): number of cells on a side.
        \"\"\"

        def __init__(self, size, device=None):
            ...

Good: ``size`` and ``device`` under ``Args:``.

How to fix: describe what the signature takes, by its names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..concrete import change_definition
from ..facts.records import Class, Function
from ..finding import Finding
from ..project import Project
from ._public import Subject, is_config, subjects
from .docstring_example_broken import parts

if TYPE_CHECKING:
    import libcst as cst

    from ..project.arguments import Gap

SUMMARY = "The arguments that a public docstring describes are not those that are taken"
SEVERITY = "error"
SECTION = "8"
CONCERNS = ("package",)
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for item in subjects(change):
        # Most changes have none, so what they would not use is not imported for them.
        from ..project.arguments import gaps

        for record, name in parts(project, item):
            for gap in gaps(project, item.path, record):
                yield _finding(project, item, record, name, gap)


def _finding(project: Project, item: Subject, record: Class | Function, name: str, gap: Gap) -> Finding:
    from ..project.retired import retired

    what, to = _said(name, gap)
    severity = gap.severity
    if retired(project, item.path, item.record) or (gap.kind == "unlisted" and is_config(project, item)):
        severity = "advisory"
    return Finding(
        item.path,
        record.line,
        name,
        what,
        to,
        text=gap.kind if gap.kind in ("unlisted", "partial") else f"{gap.kind} {gap.name}",
        severity=severity,
        fix=_fix(project, item.path, gap) if gap.kind == "renamed" else None,
    )


def _said(name: str, gap: Gap) -> tuple[str, str]:
    """What is wrong, and what to do."""
    if gap.kind == "renamed":
        return f"{name} describes {gap.name}, and the signature calls it {gap.now}", f"Write {gap.now} under Args."
    if gap.kind == "stale":
        return f"{name} describes {gap.name}, which it does not take", f"Delete {gap.name} from Args, or take it."
    if gap.kind == "partial":
        return f"{name} takes {gap.name}, and its Args describe none of these", "Describe them under Args."
    if gap.kind == "absent":
        return f"{name} takes {gap.name}, and its Args do not describe it", f"Describe {gap.name} under Args."
    if gap.kind == "default":
        return (
            f"{name} says that {gap.name} defaults to {gap.was}, and the signature says {gap.now}",
            f"Write the default of {gap.name} as it is.",
        )
    return f"{name} takes {gap.name}, and its docstring has no Args section", "Describe them under Args."


def _fix(project: Project, path: str, gap: Gap) -> tuple[str, int, str, str] | None:
    """What ``repair`` needs: whose docstring, which of several definitions of that name, and the two names."""
    module = project.module(path)
    lines = [part.line for part in (*module.classes, *module.functions) if part.qualname == gap.doc.scope]
    return gap.doc.scope, sorted(lines).index(gap.doc.line), gap.name, gap.now


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    scope, occurrence, old, new = finding.fix
    return change_definition(module, scope, occurrence, lambda node: _renamed(node, old, new))


def _renamed(node: cst.ClassDef | cst.FunctionDef, old: str, new: str) -> cst.ClassDef | cst.FunctionDef:
    """A definition whose docstring calls an argument otherwise, at the head of its item."""
    import libcst as cst

    body = list(node.body.body)
    statement = body[0]
    if not isinstance(statement, cst.SimpleStatementLine) or not isinstance(statement.body[0], cst.Expr):
        return node
    text = statement.body[0].value
    if not isinstance(text, cst.SimpleString):
        return node
    head = rf"(^[ \t]*[`*]*){re.escape(old)}(?=[`*]*[ \t]*(?:\(|:))"
    value = re.sub(head, lambda found: found[1] + new, text.value, count=1, flags=re.MULTILINE)
    if value == text.value:
        return node
    body[0] = statement.with_changes(body=[statement.body[0].with_changes(value=text.with_changes(value=value))])
    return node.with_changes(body=node.body.with_changes(body=body))
