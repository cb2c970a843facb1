"""Collectors: what they hand out are the steps of the environment, all of them, in order, taken by the policy of the moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
import torch
import torchrl.collectors
from tensordict import TensorDict, TensorDictBase
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.data import LazyTensorStorage, ReplayBuffer, TensorDictReplayBuffer
from torchrl.envs import EnvBase, SerialEnv, StepCounter, TransformedEnv

from ..installed import version
from ..outcome import Unverified
from ..table import load
from ._public import sampled
from ._values import differing
from ._worlds import WORLDS, Idle, entries, plain

TABLE = load(__file__)
NAMES = {  # what a collector is called now, and what it was called before
    "Collector": "SyncDataCollector",
    "AsyncCollector": "aSyncDataCollector",
    "MultiSyncCollector": "MultiSyncDataCollector",
    "MultiAsyncCollector": "MultiaSyncDataCollector",
}
SEVERAL = ("MultiSyncCollector", "MultiAsyncCollector")
worlds = pytest.mark.parametrize("world", sampled(WORLDS, every=9))


def of(name: str) -> Any:
    """A class of collectors, under the name that this torchrl has for it."""
    for one in (name, NAMES.get(name, name)):
        if hasattr(torchrl.collectors, one):
            return getattr(torchrl.collectors, one)
    raise Unverified(f"torchrl {version('torchrl')} has no {name}")


@contextmanager
def collecting(make: Any, policy: Any, name: str = "Collector", **settings: Any) -> Iterator[Any]:
    """A collector, shut down at the end whatever happens."""
    collector = of(name)(make, policy, **settings)
    try:
        yield collector
    finally:
        collector.shutdown()


class Constant(nn.Module):
    """A policy of one number, which is the action."""

    def __init__(self, value: float) -> None:
        super().__init__()
        self.value = nn.Parameter(torch.full((2,), value))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return self.value.expand(*observation.shape[:-1], 2)


def constant(value: float) -> TensorDictModule:
    """The same with its keys."""
    return TensorDictModule(Constant(value), in_keys=["observation"], out_keys=["action"])


def counts(data: TensorDictBase) -> list[int]:
    """The counts that the plain world shows, in the order of the steps."""
    return data["observation"][..., 0].flatten().long().tolist()


def test_collector(steps: int) -> None:
    """A collector hands out as many frames as asked for, batch by batch, and stops at the total."""
    with collecting(plain, constant(0.5), frames_per_batch=steps, total_frames=2 * steps) as collector:
        batches = list(collector)
    assert [batch.numel() for batch in batches] == [steps, steps]
    assert [count for batch in batches for count in counts(batch)] == list(range(2 * steps))
    assert all((batch["action"] == 0.5).all() for batch in batches)


@worlds
@pytest.mark.parametrize("way", ["one", "two"])
def test_frames(world: str, way: str) -> None:
    """What a collector hands out is what a rollout gives, over the borders of batches and episodes."""
    make = partial(WORLDS[world], horizon=3)
    if way == "two":
        make = partial(SerialEnv, 2, make)
    env = make()
    expected = env.rollout(8, Idle(env), break_when_any_done=False)
    frames = 4 * env.batch_size.numel()
    with collecting(make, Idle(env), frames_per_batch=frames, total_frames=2 * frames) as collector:
        batches = [batch.clone() for batch in collector]
    assert len(batches) == 2
    for number, batch in enumerate(batches):
        part = expected[..., 4 * number : 4 * number + 4]
        keys = [key for key in entries(env.observation_spec)]
        for source in ("root", "next"):
            one, other = (data if source == "root" else data["next"] for data in (batch, part))
            assert not differing(one.select(*keys), other.select(*keys)), source
        ends = [*entries(env.full_reward_spec), *entries(env.full_done_spec)]
        assert not differing(batch["next"].select(*ends), part["next"].select(*ends))


def test_trajectories() -> None:
    """A new episode has a new number, and trajectories that are split are whole."""
    make = partial(plain, horizon=3)
    with collecting(make, constant(0.0), frames_per_batch=7, total_frames=14) as collector:
        numbers = [number for batch in collector for number in batch["collector", "traj_ids"].flatten().tolist()]
    assert numbers == [step // 3 for step in range(14)]
    with collecting(make, constant(0.0), frames_per_batch=7, total_frames=7, split_trajs=True) as collector:
        (split,) = list(collector)
    assert split["collector", "mask"].sum(-1).flatten().tolist() == [3, 3, 1]
    assert [row["observation"][: int(row["collector", "mask"].sum()), 0].tolist() for row in split.unbind(0)] == [
        [0, 1, 2],
        [0, 1, 2],
        [0],
    ]


@pytest.mark.parametrize("setting", ["max_frames_per_traj", "reset_at_each_iter"])
def test_resets(setting: str) -> None:
    """Episodes are cut where it was asked for."""
    value = 2 if setting == "max_frames_per_traj" else True
    with collecting(plain, constant(0.0), frames_per_batch=4, total_frames=8, **{setting: value}) as collector:
        seen = [counts(batch) for batch in collector]
    assert seen == ([[0, 1, 0, 1]] * 2 if setting == "max_frames_per_traj" else [[0, 1, 2, 3]] * 2)


@pytest.mark.parametrize("how", ["weights", "tensordict", "policy", "twice"])
def test_weights(how: str) -> None:
    """New weights are those that the next batch is collected with, however often they are sent."""
    policy = constant(0.0)
    with collecting(plain, policy, frames_per_batch=2, total_frames=8) as collector:
        batches = iter(collector)
        assert (next(batches)["action"] == 0).all()
        new = constant(0.5)
        if how == "policy":
            policy.load_state_dict(new.state_dict())
            collector.update_policy_weights_()
        elif how == "tensordict":
            collector.update_policy_weights_(TensorDict.from_module(new).data)
        else:
            for _ in range(2 if how == "twice" else 1):
                collector.update_policy_weights_(TensorDict.from_module(new))
        assert (next(batches)["action"] == 0.5).all()
        collector.update_policy_weights_(TensorDict.from_module(constant(-0.5)))
        assert (next(batches)["action"] == -0.5).all()


def test_random_frames() -> None:
    """The first frames are random where that was asked for, and then the policy acts."""
    with collecting(plain, constant(0.5), frames_per_batch=4, total_frames=12, init_random_frames=8) as collector:
        constantly = [bool((batch["action"] == 0.5).all()) for batch in collector]
    assert constantly == [False, False, True]


def test_random_policy() -> None:
    """Without a policy, actions are drawn from the action spec."""
    with collecting(plain, None, frames_per_batch=4, total_frames=8) as collector:
        for batch in collector:
            assert plain().full_action_spec["action"].expand(4, 2).is_in(batch["action"])


@pytest.mark.parametrize("buffer", ["ReplayBuffer", "TensorDictReplayBuffer"])
@pytest.mark.parametrize("says", ["a device", "no device"])
@pytest.mark.parametrize("extend", sampled(["extend", "add"], every=2))
def test_buffer(buffer: str, says: str, extend: str) -> None:
    """A collector that is given a buffer writes every frame there, whether or not the data says its device."""
    cls = {"ReplayBuffer": ReplayBuffer, "TensorDictReplayBuffer": TensorDictReplayBuffer}[buffer]
    rb = cls(storage=LazyTensorStorage(20), batch_size=4)
    make = (lambda: plain().to("cpu")) if says == "a device" else plain
    settings = {"frames_per_batch": 4, "total_frames": 12, "replay_buffer": rb, "extend_buffer": extend == "extend"}
    with collecting(make, constant(0.5), **settings) as collector:
        for batch in collector:
            assert batch is None
    assert len(rb) == 12
    assert counts(rb[:]) == list(range(12))
    rb.sample()


@pytest.mark.parametrize("buffer", ["no", "yes"])
def test_postproc(buffer: str) -> None:
    """A function that is applied to every batch is applied whether it is handed out or written to a buffer."""

    def mark(data: TensorDictBase) -> TensorDictBase:
        return data.set("marked", torch.ones(data.shape))

    rb = ReplayBuffer(storage=LazyTensorStorage(20), batch_size=4) if buffer == "yes" else None
    with collecting(
        plain, constant(0.0), frames_per_batch=4, total_frames=4, postproc=mark, replay_buffer=rb
    ) as collector:
        (batch,) = list(collector)
    assert ((rb[:] if rb is not None else batch)["marked"] == 1).all()


def counted() -> EnvBase:
    """An environment with a transform that has a state."""
    return TransformedEnv(plain(horizon=4), StepCounter())


def test_state() -> None:
    """A collector that took over a state goes on counting frames from there."""
    with collecting(counted, constant(0.0), frames_per_batch=3, total_frames=12) as first:
        batches = iter(first)
        next(batches)
        next(batches)
        state = first.state_dict()
        with collecting(counted, constant(0.0), frames_per_batch=3, total_frames=12) as second:
            second.load_state_dict(state)
            assert len(list(second)) == 2


def test_seed() -> None:
    """The same seed gives the same frames."""
    drawn = []
    for _ in range(2):
        with collecting(plain, None, frames_per_batch=4, total_frames=4) as collector:
            collector.set_seed(3)
            torch.manual_seed(3)
            drawn += [batch["action"].clone() for batch in collector]
    assert torch.equal(*drawn)


def test_evaluator() -> None:
    """An evaluator reports the reward of the episodes that the policy of the moment plays."""
    cls = of("Evaluator")
    evaluator = cls(lambda: plain(horizon=3), constant(0.0), num_trajectories=2, max_steps=10)
    try:
        metrics = evaluator.evaluate()
    finally:
        evaluator.shutdown()
    rewards = [value for name, value in metrics.items() if name.endswith("/reward")]
    assert rewards == [pytest.approx(1 + 2 + 3)]


@pytest.mark.limit(120)
@pytest.mark.tier("mp")
@pytest.mark.parametrize("name", [*SEVERAL, "AsyncCollector"])
def test_workers(name: str) -> None:
    """Workers step their environments, send every frame, and take over new weights; nothing of them is left."""
    make = [plain, plain] if name in SEVERAL else plain
    with collecting(make, constant(0.0), name, frames_per_batch=4, total_frames=-1) as collector:
        batches = iter(collector)
        first = next(batches)
        assert first.numel() == 4
        assert {*counts(first)} <= {0, 1, 2, 3}
        assert (first["action"] == 0).all()
        collector.update_policy_weights_(TensorDict.from_module(constant(0.5)).data)
        later = [next(batches) for _ in range(4)]
        assert (later[-1]["action"] == 0.5).all()


@pytest.mark.limit(120)
@pytest.mark.tier("mp")
def test_workers_write_to_a_buffer() -> None:
    """Workers that are given a buffer write their frames there."""
    rb = ReplayBuffer(storage=LazyTensorStorage(64), batch_size=4)
    with collecting(
        [plain, plain], constant(0.0), SEVERAL[0], frames_per_batch=8, total_frames=16, replay_buffer=rb
    ) as collector:
        for _ in collector:
            pass
    assert len(rb) == 16
    assert sorted(counts(rb[:])) == sorted([*range(8), *range(8)])


@pytest.mark.limit(120)
@pytest.mark.tier("mp")
def test_worker_that_fails() -> None:
    """The exception of a worker reaches the one who collects, and no worker is left waiting."""
    with (
        pytest.raises(Exception, match="."),
        collecting([failing], None, SEVERAL[0], frames_per_batch=4, total_frames=40) as collector,
    ):
        list(collector)


def failing() -> EnvBase:
    """An environment whose third step raises."""
    env = plain()
    step = env._step

    def broken(data: TensorDictBase) -> TensorDictBase:
        if int(env.count) >= 2:
            raise RuntimeError("the third step")
        return step(data)

    env._step = broken
    return env
