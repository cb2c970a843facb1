"""A parameter of a public function has no type hint.

What it protects: the reader of the reference pages, which show the signature.

Judged are functions, and methods of classes, that a package above them exports, variadic parameters, ``self`` and mocks
for tests aside.
Setters, overloads and methods that override one of a base are left alone: the hint belongs to the property, to the
function itself or to the base.

Bad:

    def make_env(name, seed: int = 0): ...

Good:

    def make_env(name: str, seed: int = 0): ...

How to fix: add the hint. A wrong hint is worse than none.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..facts.records import Class, Function
from ..finding import Finding
from ..project import Project
from ..project.mro import mro
from ..project.public import exported_above
from ._annotations import is_public

SUMMARY = "A parameter of a public function has no type hint"
SEVERITY = "advisory"
SECTION = "5"
CONCERNS = ("package",)
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["package"], ".py"):
        module = project.module(path)
        if module is None or any(part.startswith("_") and part != "__init__.py" for part in path.split("/")):
            continue
        if path.startswith(project.profile["testing"] + "/"):
            continue
        classes = {item.qualname: item for item in module.classes}
        functions = {item.qualname: item for item in module.functions}
        for function in module.functions:
            bare = [
                item.name
                for item in function.parameters
                if not item.annotation and item.kind in ("", "/", "k") and item.name not in ("self", "cls", "_")
            ]
            owner = function.qualname.rpartition(".")[0]
            # Within another function nothing is public.
            if not bare or not is_public(function) or owner in functions:
                continue
            top = function.qualname.partition(".")[0]
            if not exported_above(project, path, top) or _follows(project, path, function, classes.get(owner)):
                continue
            for name in bare:
                yield Finding(
                    path,
                    function.line,
                    f"{function.qualname}.{name}",
                    f"The parameter {name} has no type hint",
                    "Add it.",
                    text=name,
                )


def _follows(project: Project, path: str, function: Function, owner: Class | None) -> bool:
    if any(item.text.endswith((".setter", ".deleter", "overload")) for item in function.decorators):
        return True
    return (
        owner is not None
        and function.name != "__init__"
        and any(link.methods(function.name) for link in mro(project, path, owner)[1:])
    )
