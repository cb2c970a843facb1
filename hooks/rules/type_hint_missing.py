"""A parameter of a public function has no type hint.

What it protects: the reader of the reference pages, which show the signature.

Judged are public functions and methods of public modules, variadic parameters and ``self`` aside. Setters, and methods
that override one of a base of the same file, are left alone: the hint belongs to the property or the base.

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
from ._annotations import is_public

SUMMARY = "A parameter of a public function has no type hint"
SEVERITY = "advisory"
SECTION = "5"
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["package"], ".py"):
        module = project.module(path)
        if module is None or any(part.startswith("_") and part != "__init__.py" for part in path.split("/")):
            continue
        classes = {item.qualname: item for item in module.classes}
        functions = {item.qualname: item for item in module.functions}
        for function in module.functions:
            owner = function.qualname.rpartition(".")[0]
            # Within another function nothing is public.
            if not is_public(function) or owner in functions or _follows(function, classes.get(owner), functions):
                continue
            for item in function.parameters:
                if not item.annotation and item.kind in ("", "/", "k") and item.name not in ("self", "cls", "_"):
                    yield Finding(
                        path,
                        function.line,
                        f"{function.qualname}.{item.name}",
                        f"The parameter {item.name} has no type hint",
                        "Add it.",
                        text=item.name,
                    )


def _follows(function: Function, owner: Class | None, functions: dict[str, Function]) -> bool:
    if any(item.text.endswith((".setter", ".deleter")) for item in function.decorators):
        return True
    return (
        owner is not None
        and function.name != "__init__"
        and any(f"{base}.{function.name}" in functions for base in owner.bases)
    )
