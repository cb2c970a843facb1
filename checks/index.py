"""The checks of an area as its file states them: read, not imported, so that no torch is needed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from .areas import FOLDER


class Stated(NamedTuple):
    """One check; those of a sweep are one.

    Args:
        id: ``area/name``, without the case of a sweep.
        tiers: to which it or some of its cases belong, of ``record.TIERS``.
        device: whether it runs on the device that is asked for.
    """

    id: str
    area: str
    tiers: tuple[str, ...]
    device: bool = False


@cache
def checks(area: str) -> tuple[Stated, ...]:
    """The checks of an area, in the order of its file."""
    return tuple(_stated(area))


def _stated(area: str) -> Iterator[Stated]:
    tree = ast.parse((FOLDER / f"{area}.py").read_text(encoding="utf-8"))
    named: dict[str, ast.AST] = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    named |= {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    everyone = named.get("pytestmark", ast.Tuple([]))
    module = everyone.elts if isinstance(everyone, (ast.List, ast.Tuple)) else [everyone]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            marks = [named.get(it.id, it) if isinstance(it, ast.Name) else it for it in node.decorator_list]
            own = [tier for mark in (*marks, *module) if (tier := _tier(mark))][:1] or ["cpu"]
            cases = [tier for mark in marks if not _tier(mark) for tier in _of_cases(mark, named)]
            name = node.name.removeprefix("test_")
            device = any(it.arg == "device" for it in node.args.args)
            yield Stated(f"{area}/{name}", area, tuple(dict.fromkeys([*own, *cases])), device)


def _tier(node: ast.AST) -> str | None:
    """The tier that ``pytest.mark.tier(...)`` names; None for anything else."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tier" and node.args:
        return ast.literal_eval(node.args[0])
    return None


def _of_cases(mark: ast.AST, named: Mapping[str, ast.AST]) -> Iterator[str]:
    """The tiers that single cases of a sweep have besides that of the check; names of the module stand for what they are."""
    waiting, seen = [mark], set()
    while waiting:
        for node in ast.walk(waiting.pop()):
            if tier := _tier(node):
                yield tier
            # areas/_public.py: what the cpu tier does not sample is in the full one
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sampled":
                yield "full"
            if isinstance(node, ast.Name) and node.id in named and node.id not in seen:
                seen.add(node.id)
                waiting.append(named[node.id])
