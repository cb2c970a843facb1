"""A parameter that takes a fixed set of strings is annotated ``str``.

What it protects: the reader and the type checker, who cannot tell which strings are meant.

Judged are public functions that compare the parameter with two or more strings, or look it up in a constant of strings,
and in nothing that may hold others.

Bad:

    def select(mode: str = "random"):
        if mode == "random":
            ...
        elif mode == "greedy":
            ...

Good:

    def select(mode: Literal["random", "greedy"] = "random"):
        ...

How to fix: ``from typing import Literal``, and list the strings. Where any other string has a meaning, too, leave it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..change import Change
from ..facts.records import Assign, Choice
from ..finding import Finding
from ..project import Project
from ..project.names import lookup
from ..project.worlds import parse
from ._annotations import is_public

SUMMARY = "A parameter with a fixed set of strings is annotated str instead of Literal"
SEVERITY = "advisory"
SECTION = "5"
CONCERNS = ("package",)
REPEATABLE = True

_ANNOTATIONS = ("str", "str | None", "None | str", "Optional[str]")


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["package"], ".py"):
        module = project.module(path)
        compared: dict[tuple[str, str], list[Choice]] = {}
        for item in module.choices if module else ():
            compared.setdefault((item.scope, item.name), []).append(item)
        for function in module.functions if compared else ():
            for item in function.parameters if is_public(function) else ():
                choices = compared.get((function.qualname, item.name), ()) if item.annotation in _ANNOTATIONS else ()
                among = [choice for choice in choices if function.line <= choice.line <= function.end_line]
                told = [_strings(project, path, choice) for choice in among]
                if None in told:
                    continue
                values = sorted({value for strings in told for value in strings if re.search(r"\w", value)})
                if len(values) > 1:
                    listed = ", ".join(f'"{value}"' for value in values)
                    yield Finding(
                        path,
                        function.line,
                        f"{function.qualname}.{item.name}",
                        f"{item.name} is annotated {item.annotation} and compared with {listed}",
                        f"Annotate it with Literal[{listed}], unless other strings mean something, too.",
                        text=f"{item.name}: {item.annotation}",
                    )


def _strings(project: Project, path: str, choice: Choice) -> list[str] | None:
    """The strings that a parameter is compared with; None where others may be added to them."""
    node = parse(choice.among)
    if isinstance(node, (ast.Name, ast.Attribute)):
        meant = lookup(project, path, choice.among)
        node = parse(meant.record.value) if meant and isinstance(meant.record, Assign) else None
    parts = (
        [node]
        if isinstance(node, ast.Constant)
        else node.keys
        if isinstance(node, ast.Dict)
        else getattr(node, "elts", [])
    )
    found = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return found if found and len(found) == len(parts) else None
