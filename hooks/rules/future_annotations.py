"""A new Python file does not begin with ``from __future__ import annotations``.

What it protects: one meaning of annotations in all files. With the import they are never evaluated,
so ``X | None`` and names that are only imported for type checkers work in every supported Python.

Only files that a change adds are judged. A file without a statement is left alone; one that only
re-exports has nothing to annotate, and a tutorial is a page first, so these get a warning.

Bad:

    import torch


    def reset(device: torch.device | None = None): ...

Good:

    from __future__ import annotations

    import torch


    def reset(device: torch.device | None = None): ...

How to fix: put the import after the license comment and the docstring, before everything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..facts.records import Module
from ..finding import Finding
from ..project.vendored import vendored
from ._imports import with_future_annotations

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "A new file does not begin with from __future__ import annotations"
SEVERITY = "error"
SECTION = "1"
CHANGE_RULE = True

# What compiles a function from its signature may want the annotations as objects.
_COMPILED = ("custom_op", "jit.script", "register_fake")


def check(change: Change) -> Iterator[Finding]:
    for path in change.judged:
        if not path.endswith(".py") or not change.is_new_file(path) or vendored(change.project, path):
            continue
        module = change.project.module(path)
        if module is None or not (module.imports or module.assigns or module.functions or module.classes):
            continue
        if any(item.module == "__future__" and item.name == "annotations" for item in module.imports):
            continue
        exports = _only_exports(path, module)
        yield Finding(
            path,
            1,
            path.rpartition("/")[2].removesuffix(".py"),
            "This new file lacks from __future__ import annotations"
            + (", although it only re-exports" if exports else ": its annotations are evaluated when it is imported"),
            "Put from __future__ import annotations after the license comment and the docstring.",
            text="annotations",
            severity="warning" if exports or path.startswith(change.project.profile["tutorials"] + "/") else "",
            fix=() if _is_safe(module) else None,
        )


def _only_exports(path: str, module: Module) -> bool:
    if module.functions or module.classes or not module.imports or any(item.annotation for item in module.assigns):
        return False
    # An __init__ may adjust what it passes on.
    return path.endswith("/__init__.py") or {item.name for item in module.assigns} <= {"__all__"}


def _is_safe(module: Module) -> bool:
    return not any(
        name in item.text for function in module.functions for item in function.decorators for name in _COMPILED
    )


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Adds the import."""
    if "from __future__ import annotations" in module.code:
        return None
    return with_future_annotations(module)
