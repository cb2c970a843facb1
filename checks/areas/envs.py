"""Environments: everything imports, rollouts and specs of the native and the mocking environments, the extension."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
import torchrl
from torchrl.envs import EnvBase, PendulumEnv, check_env_specs

from ..installed import extension, package
from ..needs import unmet
from ..outcome import Failed, Unverified
from ..table import IMPROVED, known, load

TABLE = load(__file__)
MOCKING = "torchrl.testing.mocking_classes"


def mocking_classes() -> list[str]:
    """The environments that torchrl ships for its own tests; none in releases before it shipped them."""
    try:
        module = importlib.import_module(MOCKING)
    except ModuleNotFoundError:
        return []
    return sorted(
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, EnvBase) and value.__module__ == MOCKING and name[0] != "_"
    )


def walk(path: Any, prefix: str) -> Iterator[tuple[str, ImportError | Exception | None]]:
    """Import every module below ``path``; yields each name with what its import raised. Not below one that failed."""
    for found in pkgutil.iter_modules(path, prefix):
        if found.name.endswith(("__main__", "._torchrl")):  # a program; the extension has a check of its own
            continue
        try:
            module = importlib.import_module(found.name)
        except (Exception, SystemExit) as error:
            yield found.name, error
            continue
        yield found.name, None
        if found.ispkg:
            yield from walk(module.__path__, f"{found.name}.")


@pytest.fixture(scope="module")
def imports() -> dict[str, Exception | None]:
    """What each module of torchrl raised when it was imported."""
    return dict(walk(torchrl.__path__, "torchrl."))


def lacks(error: Exception | None, row: dict[str, Any]) -> bool:
    """Whether an import failed for want of a package of this row, be it said by Python or by torchrl's own words."""
    if not isinstance(error, ImportError):
        return False
    return any((error.name or "").split(".")[0] == name or name in str(error).split() for name in row["missing"])


@pytest.mark.limit(240)
def test_imports(imports: dict[str, Exception | None]) -> None:
    """Every module of torchrl can be imported, but for those that the table knows to want an optional package."""
    rows = {module: row for row in TABLE["imports"].values() for module in row["modules"]}
    new = [
        f"{module}: {type(error).__name__}: {error}"
        for module, error in imports.items()
        if error is not None and not (module in rows and lacks(error, rows[module]))
    ]
    assert imports
    if new:
        raise Failed(f"{len(new)} of {len(imports)} modules cannot be imported: {'; '.join(new)}")


@pytest.mark.limit(240)
@pytest.mark.parametrize("name", TABLE["imports"])
def test_optional_import(name: str, imports: dict[str, Exception | None], note: Callable[[str], None]) -> None:
    """The modules that are known to want an optional package can be imported with it."""
    row = TABLE["imports"][name]
    there = [module for module in row["modules"] if module in imports]
    if not there:
        raise Unverified(f"this torchrl has none of {', '.join(row['modules'])}")
    failed = [module for module in there if imports[module] is not None]
    if any(lacks(imports[module], row) for module in failed):
        raise Unverified(f"{', '.join(failed)} cannot be imported: {row['reason']}", f"pip install {row['install']}")
    if failed:
        raise Failed("; ".join(f"{module}: {imports[module]!r}" for module in failed))
    if all(unmet(package) for package in row["missing"]):
        note(f"{IMPROVED}: {', '.join(there)} can be imported without {row['install']}")


def test_extension() -> None:
    """The C++ extension loads and its segment tree sums."""
    trouble = extension()
    if trouble:
        raise (Unverified if package("torchrl").source_tree else Failed)(*trouble)
    tree = importlib.import_module("torchrl._torchrl").SumSegmentTreeFp32(4)
    tree[0], tree[3] = 1.5, 2.0
    assert tree.query(0, 4) == 3.5


def test_pendulum_rollout(steps: int, device: torch.device) -> None:
    """PendulumEnv rolls out as many steps as asked, on the device asked for."""
    data = PendulumEnv(device=device).rollout(steps)
    assert data.batch_size == (steps,)
    assert {value.device.type for value in data.values(True, True)} == {device.type}
    assert all(bool(value.isfinite().all()) for value in data.values(True, True))


def test_pendulum_specs(device: torch.device) -> None:
    """What PendulumEnv returns is what its specs declare."""
    obeys(PendulumEnv(device=device), 3)


@pytest.mark.needs(MOCKING)
@pytest.mark.parametrize("name", mocking_classes())
def test_mocking_env(name: str, steps: int, note: Callable[[str], None]) -> None:
    """The mocking environments that torchrl ships reset, step and roll out as their specs declare."""
    cls = getattr(importlib.import_module(MOCKING), name)
    arguments = TABLE["arguments"].get(name, {})
    try:
        inspect.signature(cls.__init__).bind(None, **arguments)
    except TypeError as error:
        raise Unverified(f"{name} is not built without arguments: {error}") from None
    with known(TABLE["mocking"].get(name), note):
        obeys(cls(**arguments), steps)


def obeys(env: EnvBase, steps: int) -> None:
    """The law of an environment: what reset, step and rollout return lies in its specs, key by key."""
    env.set_seed(1)
    start = env.reset()
    within(env.observation_spec, start, "reset")
    within(env.full_done_spec, start, "reset")
    data = env.step(env.rand_action(start))
    within(env.full_action_spec, data, "rand_action")
    for spec in (env.observation_spec, env.full_reward_spec, env.full_done_spec):
        within(spec, data["next"], "step")
    assert 1 <= env.rollout(steps).shape[-1] <= steps
    check_env_specs(env)


def within(spec: Any, data: Any, source: str) -> None:
    """Every key of a composite spec is in the data, with a value that the spec admits."""
    keys = list(spec.keys(True, True))
    missing = [key for key in keys if key not in data.keys(True, True)]
    assert not missing, f"{source} does not return {missing}, which the specs declare"
    assert spec.is_in(data.select(*keys)), f"what {source} returns for {keys} is not what {spec} admits"
