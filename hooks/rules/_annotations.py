"""Parameters by their annotations, and the edit of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..concrete import change_definition
from ..facts.records import Function, Module

if TYPE_CHECKING:
    import libcst as cst


def is_public(function: Function) -> bool:
    """Whether no part of a qualified name is private; a constructor is as public as its class."""
    return not any(part.startswith("_") and part != "__init__" for part in function.qualname.split("."))


def occurrence(module: Module, function: Function) -> int:
    """Which of several definitions of its name a function is, from 0."""
    same = sorted(item.line for item in (*module.functions, *module.classes) if item.qualname == function.qualname)
    return same.index(function.line)


def annotate(module: cst.Module, qualname: str, number: int, parameter: str, annotation: str) -> cst.Module | None:
    """The module with another annotation on one parameter; None where it has it already."""
    import libcst as cst

    wanted = cst.parse_expression(annotation)

    def annotated(item: cst.Param) -> cst.Param:
        if item.name.value != parameter or item.annotation is None or item.annotation.annotation.deep_equals(wanted):
            return item
        return item.with_changes(annotation=item.annotation.with_changes(annotation=wanted))

    def edit(node: cst.FunctionDef) -> cst.FunctionDef:
        old = {group: getattr(node.params, group) for group in ("posonly_params", "params", "kwonly_params")}
        new = {group: [annotated(item) for item in items] for group, items in old.items()}
        changed = any(item not in old[group] for group, items in new.items() for item in items)
        return node.with_changes(params=node.params.with_changes(**new)) if changed else node

    return change_definition(module, qualname, number, edit)
