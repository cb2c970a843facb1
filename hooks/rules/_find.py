"""Finds the rules: every file of this folder whose name does not begin with an underscore."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ._rule import Rule


@cache
def names() -> list[str]:
    """Names of all rules, without importing them."""
    return sorted(path.stem.replace("_", "-") for path in Path(__file__).parent.glob("[!_]*.py"))


@cache
def rule(name: str) -> Rule:
    """The rule of a name.

    Raises:
        KeyError: there is none.
    """
    if name not in names():
        raise KeyError(name)
    return Rule(name, Path(__file__).with_name(f"{name.replace('-', '_')}.py"))
