"""Hydra Configs: targets that exist, fields that they take, and defaults that can be instantiated."""

from __future__ import annotations

import dataclasses
import inspect
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from ..installed import install
from ..needs import unmet
from ..outcome import Unverified
from ..table import load
from ._public import present, sampled

for package in ("hydra-core", "torchrl.trainers.algorithms.configs"):
    if trouble := unmet(package):
        raise Unverified(*trouble)

import hydra  # noqa: E402
from hydra.core.config_store import ConfigStore  # noqa: E402
from omegaconf import MISSING, OmegaConf  # noqa: E402

TABLE = load(__file__)
OURS = present("torchrl.trainers.algorithms.configs")


def registered() -> dict[str, type]:
    """The Configs that torchrl registers, by group and name."""
    found = {}
    for group, names in ConfigStore.instance().repo.items():
        for name, node in names.items() if isinstance(names, dict) else ():
            cls = OmegaConf.get_type(node.node) if hasattr(node, "node") else None
            if inspect.isclass(cls) and cls.__module__.startswith(OURS.__name__):
                found[f"{group}/{name.removesuffix('.yaml')}"] = cls
    return dict(sorted(found.items()))


CONFIGS = registered()


# Configs all of whose fields have a value; the others cannot be instantiated as they are
COMPLETE = [
    name
    for name, cls in CONFIGS.items()
    if not any(
        field.default == MISSING or field.default is field.default_factory is dataclasses.MISSING
        for field in dataclasses.fields(cls)
    )
]


def located(cls: type) -> Any:
    """What a Config builds.

    Raises:
        Unverified: it builds nothing by itself, or a package for that is missing.
    """
    target = next((field.default for field in dataclasses.fields(cls) if field.name == "_target_"), MISSING)
    if not isinstance(target, str) or target == MISSING:
        raise Unverified(f"{cls.__name__} has no target of its own")
    try:
        return hydra.utils.get_object(target)
    except Exception as error:
        dotted = target.startswith("torchrl.") and all(part.isidentifier() for part in target.split("."))
        trouble = unmet(target) if dotted else None
        if trouble and trouble.hint:
            raise Unverified(*trouble) from None
        raise at_the_root(error) from None


def at_the_root(error: BaseException) -> BaseException:
    """The first exception of those that led to this one.

    Raises:
        Unverified: it says that a package which is not torchrl's own is not installed.
    """
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__
    missing = (getattr(error, "name", None) or "").split(".")[0] if isinstance(error, ImportError) else ""
    words = str(error).replace("`", " ").split() if isinstance(error, ImportError) else []
    for name in [missing, *(word.rstrip(".,").lower() for word in words)]:
        if name in TABLE["packages"] and unmet(name):
            raise Unverified(f"{name} is not installed: {error}", install(name)) from None
    return error


def unknown_fields(cls: type, target: Callable[..., Any]) -> list[str]:
    """The fields of a Config that a callable does not take."""
    taken = inspect.signature(target).parameters.values()
    if any(one.kind is one.VAR_KEYWORD for one in taken):
        return []
    fields = [field.name for field in dataclasses.fields(cls) if not field.name.startswith("_")]
    return [field for field in fields if field not in {one.name for one in taken}]


@pytest.mark.parametrize("name", sampled(CONFIGS, every=3, keep=TABLE["keep"]))
def test_fields(name: str) -> None:
    """What a Config names as its target exists, and takes every field of the Config."""
    target = located(CONFIGS[name])
    assert callable(target), "its target cannot be called"
    unknown = unknown_fields(CONFIGS[name], target)
    assert not unknown, f"{target.__qualname__} takes no {', '.join(unknown)}"
    # The signature may be that of `__new__` or a metaclass, which takes anything and may keep some of it for itself.
    if inspect.isclass(target) and (hidden := unknown_fields(CONFIGS[name], target.__init__)):
        raise Unverified(f"{target.__qualname__} takes anything, but its __init__ no {', '.join(hidden)}")


@pytest.mark.limit(120)
@pytest.mark.parametrize(
    "name",
    sampled([name for name in COMPLETE if name not in TABLE["workers"]], every=23, keep=TABLE["keep"]),
)
def test_default(name: str) -> None:
    """A Config all of whose fields have a value is instantiated as it is."""
    if unknown := unknown_fields(CONFIGS[name], located(CONFIGS[name])):
        raise Unverified(f"it has fields that its target does not take: {', '.join(unknown)}")
    with warnings.catch_warnings(record=True):
        try:
            made = hydra.utils.instantiate(OmegaConf.structured(CONFIGS[name]))
        except Exception as error:
            raise at_the_root(error) from None
    assert made is not None, "it makes nothing"
