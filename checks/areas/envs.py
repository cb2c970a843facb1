"""Environments: everything imports, rollouts and specs of the native and the mocking environments, the extension."""

from __future__ import annotations

import importlib
import inspect
import multiprocessing
import pickle
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import pytest
import torch
import torchrl
from tensordict import TensorDictBase
from torchrl.envs import EnvBase, ParallelEnv, PendulumEnv, SerialEnv, check_env_specs, step_mdp

from ..installed import extension, package, version
from ..needs import unmet
from ..outcome import Failed, Unverified
from ..table import IMPROVED, known, load
from ._public import sampled
from ._values import differing
from ._worlds import WORLDS, Idle, entries, last, obeys

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


def test_pendulum_rollout(steps: int, device: torch.device, check_specs: bool) -> None:
    """PendulumEnv rolls out as many steps as asked, on the device asked for, and as its specs declare where that is asked."""
    env = PendulumEnv(device=device)
    data = env.rollout(steps)
    assert data.batch_size == (steps,)
    assert {value.device.type for value in data.values(True, True)} == {device.type}
    assert all(bool(value.isfinite().all()) for value in data.values(True, True))
    if check_specs:
        check_env_specs(env)


def test_pendulum_specs(device: torch.device) -> None:
    """What PendulumEnv returns is what its specs declare."""
    obeys(PendulumEnv(device=device), 3)


@pytest.mark.needs(MOCKING)
@pytest.mark.parametrize("name", sampled(mocking_classes(), every=15, keep=("CountingEnv", "MultiAgentCountingEnv")))
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


# the laws of environments, on small worlds of each shape of data

CORE = ("plain", "mixed_team")
batched = pytest.mark.parametrize("way", sampled(["batched", "serial"], every=2))
worlds = pytest.mark.parametrize("name", sampled(WORLDS, every=0, keep=CORE))


def two(name: str, way: str, **more: Any) -> EnvBase:
    """Two environments of a kind, in one that has a batch or one after the other."""
    make = WORLDS[name]
    return make(batch=(2,), **more) if way == "batched" else SerialEnv(2, partial(make, **more))


def at_reset(env: EnvBase, data: TensorDictBase, mask: torch.Tensor) -> TensorDictBase:
    """Asks for the reset of the environments in ``mask``, in every entry that can ask for it."""
    data = data.clone()
    for key in env.reset_keys:
        done = data.get("done" if isinstance(key, str) else (*key[:-1], "done"))
        data.set(key, mask.reshape(-1, *[1] * (done.ndim - 1)).expand(done.shape).clone())
    return data


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("way", sampled(["one", "short", "batched", "serial"], every=4))
def test_world(name: str, way: str, steps: int) -> None:
    """An environment of each shape of data resets, steps and rolls out as its specs declare, alone or with others."""
    obeys(WORLDS[name](horizon=2 if way == "short" else 1000) if way in ("one", "short") else two(name, way), steps)


@worlds
@batched
@pytest.mark.parametrize("who", sampled(["none", "first", "second", "both"], every=0, keep=("none", "second")))
def test_partial_step(name: str, way: str, who: str) -> None:
    """A step that is for some of the environments leaves the observations of the others as they are."""
    mask = torch.tensor([who in ("first", "both"), who in ("second", "both")])
    env = two(name, way)
    data = env.step_mdp(env.step(env.rand_action(env.reset())))
    keys = entries(env.observation_spec)
    before = data.select(*keys).clone()
    after = env.step(env.rand_action(data).set("_step", mask))["next"]
    for spec in (env.observation_spec, env.full_reward_spec, env.full_done_spec):
        missing = [key for key in entries(spec) if key not in after.keys(True, True)]
        assert not missing, f"the step does not return {missing}"
    for row in range(2):
        moved = differing(before[row], after[row].select(*keys))
        assert bool(moved) == bool(mask[row]), f"in row {row} {moved or 'nothing'} has moved"


@worlds
@batched
@pytest.mark.parametrize("who", sampled(["first", "second", "both"], every=0, keep=("second",)))
def test_partial_reset(name: str, way: str, who: str) -> None:
    """A reset that is for some of the environments leaves the others where they are."""
    mask = torch.tensor([who in ("first", "both"), who in ("second", "both")])
    env = two(name, way)
    start = env.reset().select(*entries(env.observation_spec))
    data = env.reset()
    for _ in range(2):
        data = env.step_mdp(env.step(env.rand_action(data)))
    keys = entries(env.observation_spec)
    after = env.reset(at_reset(env, data, mask)).select(*keys)
    for row in range(2):
        expected = start[row] if mask[row] else data[row].select(*keys)
        assert not differing(after[row], expected), f"row {row}"


@worlds
@batched
def test_automatic_reset(name: str, way: str) -> None:
    """After its end an environment starts anew in a rollout that goes on, and no step is lost."""
    env = two(name, way, horizon=2)
    data = env.rollout(5, Idle(env), break_when_any_done=False)
    assert data.shape == (2, 5)
    keys = entries(env.observation_spec)
    rows = [data[:, step].select(*keys) for step in range(5)]
    nexts = [data[:, step]["next"].select(*keys) for step in range(5)]
    for step in (0, 1):
        assert not differing(rows[step], rows[step + 2])
        assert not differing(nexts[step], nexts[step + 2])
    assert not differing(rows[1], nexts[0])
    assert env.rollout(5, Idle(env)).shape == (2, 2)


@worlds
def test_truncated_rollout(name: str) -> None:
    """A rollout that is cut says so in its last step, for the root and for every part."""
    env = WORLDS[name](batch=(2,))
    data = env.rollout(3, set_truncated=True)
    ends = [key for key in data["next"].keys(True, True) if last(key) in ("truncated", "done")]
    assert ends
    for key in ends:
        flags = data.get(("next", key) if isinstance(key, str) else ("next", *key))
        assert flags[:, -1].all(), f"{key} is not set in the last step"
        assert not flags[:, :-1].any()


@worlds
@batched
def test_seed(name: str, way: str) -> None:
    """The same seed gives the same rollout."""
    first, second = two(name, way), two(name, way)
    assert first.set_seed(3) == second.set_seed(3)
    torch.manual_seed(7)
    one = first.rollout(3)
    torch.manual_seed(7)
    assert not differing(one, second.rollout(3))


@worlds
@batched
def test_step_mdp(name: str, way: str) -> None:
    """What a step leads to is where the next one starts, whichever way the data moves on."""
    env = two(name, way)
    torch.manual_seed(0)
    data = env.step(env.rand_action(env.reset()))
    moved = step_mdp(data, reward_keys=env.reward_keys, done_keys=env.done_keys, action_keys=env.action_keys)
    keys = [*entries(env.observation_spec), *entries(env.full_done_spec)]
    assert not differing(moved.select(*keys), data["next"].select(*keys))
    assert not any(key in moved.keys(True, True) for key in (*env.reward_keys, "next"))
    assert not differing(env.step_mdp(data).select(*keys), moved.select(*keys))
    again = two(name, way)
    torch.manual_seed(0)
    stepped, following = again.step_and_maybe_reset(again.rand_action(again.reset()))
    assert not differing(stepped["next"], data["next"])
    assert not differing(following.select(*keys), moved.select(*keys))


@worlds
def test_serial(name: str) -> None:
    """Environments in series give what each gives alone."""
    alone, series = WORLDS[name](), SerialEnv(2, WORLDS[name])
    one, both = alone.rollout(3, Idle(alone)), series.rollout(3, Idle(series))
    assert both.shape == (2, 3)
    for row in both.unbind(0):
        assert not differing(row, one)


@worlds
def test_specs_of_one(name: str) -> None:
    """The specs of one environment of a batch are those of an environment without one."""
    env, one = WORLDS[name](batch=(2,)), WORLDS[name]()
    for kind in ("full_action_spec", "full_observation_spec", "full_reward_spec", "full_done_spec", "full_state_spec"):
        single = getattr(env, f"{kind}_unbatched", None)
        if single is None:
            raise Unverified(f"this torchrl has no {kind}_unbatched")
        assert single == getattr(one, kind), kind
        assert single.shape == ()
    for kind in ("input_spec", "output_spec"):
        assert getattr(env, f"{kind}_unbatched") == getattr(one, kind), kind


@worlds
@batched
def test_specs_stay(name: str, way: str) -> None:
    """Using an environment changes none of its specs."""
    env = two(name, way, horizon=2)
    kinds = ("input_spec", "output_spec")
    before = [getattr(env, kind).clone() for kind in kinds]
    env.rollout(5, break_when_any_done=False)
    check_env_specs(env)
    assert [getattr(env, kind) for kind in kinds] == before


@worlds
def test_keys(name: str) -> None:
    """The keys that an environment names are those of its specs."""
    env = WORLDS[name]()
    assert {*env.action_keys} == {*entries(env.full_action_spec)}
    assert {*env.reward_keys} == {*entries(env.full_reward_spec)}
    assert {*env.done_keys} == {*entries(env.full_done_spec)}
    assert {*env.observation_keys} == {*entries(env.observation_spec)}
    assert {*env.state_keys} == {*entries(env.state_spec)}


@worlds
def test_copy(name: str) -> None:
    """An environment that was pickled is the same environment."""
    env = WORLDS[name]()
    copied = pickle.loads(pickle.dumps(env))
    assert copied.input_spec == env.input_spec
    assert copied.output_spec == env.output_spec
    assert not differing(copied.rollout(3, Idle(copied)), env.rollout(3, Idle(env)))


@worlds
def test_moved_to_a_device(name: str) -> None:
    """An environment that was moved to a device says so in its specs, and returns data that is there."""
    env = WORLDS[name]().to("cpu")
    assert env.device == torch.device("cpu")
    data = env.rollout(2)
    assert data.device == torch.device("cpu")
    check_env_specs(env)


@pytest.mark.parametrize("name", TABLE["native"])
def test_native(name: str, steps: int) -> None:
    """The environments that need nothing but torchrl reset, step and roll out as their specs declare."""
    cls = getattr(torchrl.envs, name, None)
    if cls is None:
        raise Unverified(f"torchrl {version('torchrl')} has no {name}")
    obeys(cls(**TABLE["native"][name]), steps)


@pytest.mark.tier("optional")
@pytest.mark.limit(240)
@pytest.mark.parametrize("name", TABLE["simulators"])
def test_simulator(name: str, steps: int) -> None:
    """The environments of a simulator reset, step and roll out as their specs declare."""
    cls, row = getattr(torchrl.envs, name, None), TABLE["simulators"][name]
    if cls is None:
        raise Unverified(f"torchrl {version('torchrl')} has no {name}")
    for need in row["needs"]:
        if unmet(need):
            raise Unverified(*unmet(need))
    obeys(cls(*row.get("positional", ()), **row.get("named", {})), steps)


def test_threads() -> None:
    """Environments in threads of a pool are stepped each on its own."""
    cls = getattr(torchrl.envs, "AsyncEnvPool", None)
    if cls is None:
        raise Unverified(f"torchrl {version('torchrl')} has no AsyncEnvPool")
    pool = cls([WORLDS["plain"], WORLDS["plain"]], backend="threading")
    try:
        data = pool.reset()
        assert data["observation"].tolist() == [[0.0] * 3] * 2
        for count in (1.0, 2.0):
            data = pool.step(data.set("action", torch.zeros(2, 2)))
            assert data["next", "observation"].tolist() == [[count] * 3] * 2
            data = step_mdp(data)
    finally:
        pool.close()


parallel = pytest.mark.parametrize("name", ["plain", "ending_team", "mixed_team", "stateful", "telling"])


@contextmanager
def workers(name: str, start: str = "fork", **more: Any) -> Iterator[EnvBase]:
    """Two environments of a kind, each in a process of its own, which are ended whatever happens."""
    if start not in multiprocessing.get_all_start_methods():
        raise Unverified(f"this platform cannot start a process by {start}")
    env = ParallelEnv(2, partial(WORLDS[name], **more), mp_start_method=start)
    try:
        yield env
    finally:
        env.close(raise_if_closed=False)


@pytest.mark.tier("mp")
@pytest.mark.limit(120)
@parallel
def test_parallel(name: str) -> None:
    """Environments in processes of their own give what they give in series, over the ends of episodes."""
    series = SerialEnv(2, partial(WORLDS[name], horizon=2))
    expected = series.rollout(5, Idle(series), break_when_any_done=False)
    with workers(name, horizon=2) as env:
        assert not differing(env.rollout(5, Idle(series), break_when_any_done=False), expected)


@pytest.mark.tier("mp")
@pytest.mark.limit(120)
@parallel
@pytest.mark.parametrize("who", ["first", "second"])
def test_parallel_reset(name: str, who: str) -> None:
    """A reset that is for one of the processes leaves the other where it is."""
    mask = torch.tensor([who == "first", who == "second"])
    with workers(name) as env:
        keys = entries(env.observation_spec)
        start = env.reset().select(*keys).clone()
        data = env.step_mdp(env.step(env.rand_action(env.reset()))).clone()
        after = env.reset(at_reset(env, data, mask)).select(*keys)
        for row in range(2):
            assert not differing(after[row], (start if mask[row] else data.select(*keys))[row]), f"row {row}"


@pytest.mark.tier("mp")
@pytest.mark.limit(120)
@parallel
@pytest.mark.parametrize("who", ["none", "first", "second"])
def test_parallel_step(name: str, who: str) -> None:
    """A step that is for one of the processes leaves the other where it is."""
    mask = torch.tensor([who == "first", who == "second"])
    with workers(name) as env:
        keys = entries(env.observation_spec)
        data = env.reset().clone()
        after = env.step(env.rand_action(data.clone()).set("_step", mask))["next"]
        for row in range(2):
            assert bool(differing(data[row].select(*keys), after[row].select(*keys))) == bool(mask[row]), f"row {row}"


@pytest.mark.tier("mp")
@pytest.mark.limit(180)
def test_spawned() -> None:
    """Processes that begin anew, as on macOS and Windows, work too."""
    with workers("plain", "spawn") as env:
        assert env.rollout(3, Idle(env)).shape == (2, 3)


@pytest.mark.tier("mp")
@pytest.mark.limit(120)
def test_worker_that_dies() -> None:
    """When a process is killed, the next step says so instead of waiting for it."""
    if "fork" not in multiprocessing.get_all_start_methods():
        raise Unverified("this platform cannot start a process by fork")
    env = ParallelEnv(2, WORLDS["plain"], mp_start_method="fork")
    try:
        data = env.reset()
        env._workers[0].kill()
        env._workers[0].join()
        with pytest.raises((RuntimeError, OSError, EOFError)):
            for _ in range(3):
                data = env.step_mdp(env.step(env.rand_action(data)))
    finally:
        with suppress(ValueError):  # the environment has closed it already
            env._workers[1].kill()
        with suppress(Exception):  # it complains about the processes that it has lost
            env.close()
