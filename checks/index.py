"""The checks of an area as its file states them: read, not imported, so that no torch is needed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from .areas import FOLDER


class Stated(NamedTuple):
    """One check; those of a sweep are one.

    Args:
        id: ``area/name``, without the case of a sweep.
        tier: one of ``record.TIERS``.
    """

    id: str
    area: str
    tier: str


@cache
def checks(area: str) -> tuple[Stated, ...]:
    """The checks of an area, in the order of its file."""
    return tuple(_stated(area))


def _stated(area: str) -> Iterator[Stated]:
    tree = ast.parse((FOLDER / f"{area}.py").read_text(encoding="utf-8"))
    module = next((_tier(node.value) for node in tree.body if _is_marks(node) and _tier(node.value)), None)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            own = next((tier for mark in node.decorator_list if (tier := _tier(mark))), None)
            yield Stated(f"{area}/{node.name.removeprefix('test_')}", area, own or module or "cpu")


def _is_marks(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and any(
        isinstance(it, ast.Name) and it.id == "pytestmark" for it in node.targets
    )


def _tier(node: ast.AST) -> str | None:
    """The tier that a mark, or one of several, names."""
    for call in ast.walk(node):
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "tier"
            and call.args
        ):
            return ast.literal_eval(call.args[0])
    return None
