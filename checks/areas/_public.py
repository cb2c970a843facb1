"""What a release of torchrl offers: its public classes by base, and cases of a sweep."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pytest


def classes(base: type | tuple[type, ...], *packages: str) -> dict[str, type]:
    """The public subclasses of ``base`` that the packages export, by name; none of a package that is not there."""
    found = {}
    for package in packages:
        module = present(package)
        for name, value in vars(module).items() if module else ():
            if _public(name, value) and issubclass(value, base):
                found[name] = value
    return dict(sorted(found.items()))


def defined(base: type | tuple[type, ...], package: str, *, without: Iterable[str] = ()) -> dict[str, type]:
    """The public subclasses of ``base`` that are defined in some public module below ``package``, by name."""
    found = {}
    for module in _below(package, tuple(without)):
        for name, value in vars(module).items():
            if _public(name, value) and value.__module__ == module.__name__ and issubclass(value, base):
                found[name] = value
    return dict(sorted(found.items()))


def present(name: str) -> ModuleType | None:
    """A module, or None when this release or this machine has none that can be imported."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


@cache
def parameters(cls: type) -> tuple[str, ...]:
    """The names of the parameters that a class is built with, those of its bases included where it passes them on."""
    names: dict[str, None] = {}
    for base in cls.__mro__:
        if "__init__" not in vars(base):
            continue
        taken = inspect.signature(base.__init__).parameters.values()
        names |= dict.fromkeys(one.name for one in taken)
        if not any(one.kind is one.VAR_KEYWORD for one in taken):
            break
    return tuple(name for name in names if name not in ("self", "args", "kwargs"))


def sampled(cases: Iterable[str], *, every: int = 1, keep: Iterable[str] = ()) -> list[Any]:
    """Cases for the cpu tier and, of a large sweep, the rest for the full one: each ``every``-th (0: none) and those to ``keep``."""
    kept = set(keep)
    return [
        case if (every and index % every == 0) or case in kept else pytest.param(case, marks=pytest.mark.tier("full"))
        for index, case in enumerate(cases)
    ]


def _public(name: str, value: Any) -> bool:
    return not name.startswith("_") and inspect.isclass(value)


def _below(package: str, without: tuple[str, ...]) -> Iterator[ModuleType]:
    root = present(package)
    if root is None:
        return
    yield root
    for found in pkgutil.iter_modules(getattr(root, "__path__", ()), f"{package}."):
        last = found.name.rpartition(".")[2]
        if not last.startswith("__") and last not in without:
            yield from _below(found.name, without)
