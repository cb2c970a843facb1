"""Transforms: what a transformed environment returns is what its specs declare, whatever the shape of its data."""

from __future__ import annotations

import importlib
import inspect
import pickle
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import pytest
import torch
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModule
from torchrl.data import Composite, Unbounded
from torchrl.envs import SerialEnv, TransformedEnv
from torchrl.envs import transforms as T

from ..installed import version
from ..needs import unmet
from ..outcome import Unverified
from ..table import load
from ._public import classes, sampled
from ._values import differing
from ._worlds import WORLDS, Idle, last, obeys

TABLE = load(__file__)
PLACES = ("torchrl.envs.transforms", "torchrl.envs.llm.transforms", "torchrl.record")
FLAT = (
    "plain",
    "choices",
    "one_hot",
    "objectives",
    "stateful",
    "taciturn",
    "silent",
    "telling",
    "double",
    "pixels",
    "grey",
)
ALL = tuple(WORLDS)
WHOLE = tuple(name for name in WORLDS if name != "mixed_team")  # those that are reset as one
ROOTED = tuple(name for name in WHOLE if name != "nested_done")  # those that end at the root
SINGLE = tuple(name for name in WHOLE if name != "ending_team")  # those that end in one place
OBSERVED = {
    "nested_done": ("data", "observation"),
    "team": ("agents", "observation"),
    "ending_team": ("agents", "observation"),
}


class Example(NamedTuple):
    """How to build one transform.

    Args:
        make: the transform, given the key of an observation.
        worlds: the environments that it is for.
        repeats: whether the same steps give the same values, also when other environments are stepped with it.
        batches: whether it is for several environments at once.
        needs: the package that it needs.
    """

    make: Callable[[Any], T.Transform]
    worlds: tuple[str, ...] = ALL
    repeats: bool = True
    batches: bool = True
    needs: str = ""


def double_it(data: TensorDictBase) -> TensorDictBase:
    """A function used as a transform."""
    return data


def third_step(data: TensorDictBase) -> torch.Tensor:
    """Whether the environment has made three steps, in the form of its end."""
    return data.get("step_count") >= 3


def one_more(value: torch.Tensor) -> torch.Tensor:
    """The function of an element-wise transform."""
    return value + 1


def never(data: TensorDictBase) -> torch.Tensor:
    """A condition that does not hold."""
    return torch.zeros((*data.shape, 1), dtype=torch.bool)


FLAT_AND_NESTED = (*FLAT, *OBSERVED)
EXAMPLES = {
    "ActionDiscretizer": Example(lambda key: T.ActionDiscretizer(5), ("plain", "objectives", "stateful")),
    "ActionMask": Example(lambda key: T.ActionMask(), ("choices",), False),
    "ActionScaling": Example(lambda key: T.ActionScaling(), ("plain", "objectives", "stateful")),
    "BinarizeReward": Example(lambda key: T.BinarizeReward(in_keys=[beside(key, "reward")]), FLAT_AND_NESTED),
    "CatFrames": Example(lambda key: T.CatFrames(3, -1, in_keys=[key]), (*FLAT, "nested_done", "team")),
    "CatFrames-constant": Example(
        lambda key: T.CatFrames(2, -1, in_keys=[key], out_keys=["stacked"], padding="constant"), FLAT
    ),
    "CatFrames-pixels": Example(lambda key: T.CatFrames(3, -3, in_keys=["pixels"]), ("pixels", "grey")),
    "CatTensors": Example(lambda key: T.CatTensors([key], "vector"), FLAT),
    "CenterCrop": Example(lambda key: T.CenterCrop(4, in_keys=["pixels"]), ("pixels", "grey"), needs="torchvision"),
    "ClipTransform": Example(lambda key: T.ClipTransform(in_keys=[key], low=-1.0, high=2.0), FLAT_AND_NESTED),
    "Compose": Example(lambda key: T.Compose(T.StepCounter(), T.InitTracker(), T.RewardSum())),
    "ConditionalSkip": Example(lambda key: T.ConditionalSkip(never), FLAT),
    "Crop": Example(lambda key: T.Crop(4, in_keys=["pixels"]), ("pixels", "grey"), needs="torchvision"),
    "DTypeCastTransform": Example(lambda key: T.DTypeCastTransform(torch.float32, torch.float64), WHOLE),
    "DeviceCastTransform": Example(lambda key: T.DeviceCastTransform("cpu")),
    "DiscreteActionProjection": Example(lambda key: T.DiscreteActionProjection(4, 6), ("one_hot",), False),
    "DoubleToFloat": Example(lambda key: T.DoubleToFloat()),
    "ExcludeTransform": Example(
        lambda key: T.ExcludeTransform(key), ("pixels", "grey", "double", "telling", "choices")
    ),
    "ExpandAs": Example(lambda key: T.ExpandAs("reward", key, "wide"), ("plain", "stateful", "double")),
    "FiniteTensorDictCheck": Example(lambda key: T.FiniteTensorDictCheck()),
    "FlattenObservation": Example(lambda key: T.FlattenObservation(-3, -1, in_keys=["pixels"]), ("pixels", "grey")),
    "FrameSkipTransform": Example(lambda key: T.FrameSkipTransform(2)),
    "GrayScale": Example(lambda key: T.GrayScale(in_keys=["pixels"]), ("pixels",)),
    "Hash": Example(lambda key: T.Hash(in_keys=[key], out_keys=["hash"]), FLAT, batches=False),
    "InitTracker": Example(lambda key: T.InitTracker()),
    "LineariseRewards": Example(lambda key: T.LineariseRewards(in_keys=["reward"]), ("objectives",)),
    "LineariseRewards-weights": Example(
        lambda key: T.LineariseRewards(in_keys=["reward"], out_keys=["scalar"], weights=[1.0, 2.0, -1.0]),
        ("objectives",),
    ),
    "ModuleTransform": Example(
        lambda key: T.ModuleTransform(
            module=TensorDictModule(one_more, in_keys=[key], out_keys=["more"]),
            observation_spec_transform=partial(with_more, key),
        ),
        ("plain", "objectives", "stateful"),
    ),
    "MultiAction": Example(lambda key: T.MultiAction(dim=1), ("plain", "objectives", "stateful"), False),
    "NoopResetEnv": Example(lambda key: T.NoopResetEnv(1, random=False), FLAT, batches=False),
    "ObservationNorm": Example(lambda key: T.ObservationNorm(1.0, 2.0, in_keys=[key]), FLAT_AND_NESTED),
    "PermuteTransform": Example(lambda key: T.PermuteTransform((-2, -1, -3), in_keys=["pixels"]), ("pixels", "grey")),
    "PolicyVersion": Example(lambda key: of("PolicyVersion")("int")),
    "PolicyVersion-uuid": Example(lambda key: of("PolicyVersion")("uuid"), repeats=False),
    "RandomTruncationTransform": Example(
        lambda key: T.Compose(T.StepCounter(), T.RandomTruncationTransform(2, 2, prob=1.0)), FLAT, False
    ),
    "RemoveEmptySpecs": Example(lambda key: T.RemoveEmptySpecs()),
    "RenameTransform": Example(lambda key: T.RenameTransform([key], ["renamed"]), FLAT_AND_NESTED),
    "RenameTransform-copy": Example(
        lambda key: T.RenameTransform([key], ["renamed"], create_copy=True), FLAT_AND_NESTED
    ),
    "Resize": Example(lambda key: T.Resize(4, in_keys=["pixels"]), ("pixels", "grey"), needs="torchvision"),
    "RewardClipping": Example(
        lambda key: T.RewardClipping(-1.0, 1.0, in_keys=[beside(key, "reward")]), FLAT_AND_NESTED
    ),
    "RewardScaling": Example(lambda key: T.RewardScaling(1.0, 2.0, in_keys=[beside(key, "reward")]), FLAT_AND_NESTED),
    "RewardSum": Example(lambda key: T.RewardSum()),
    "SelectTransform": Example(lambda key: T.SelectTransform(key), FLAT_AND_NESTED),
    "SignTransform": Example(lambda key: T.SignTransform(in_keys=["reward"]), ("plain", "objectives", "stateful")),
    "SqueezeTransform": Example(
        lambda key: T.Compose(T.UnsqueezeTransform(-1, in_keys=[key]), T.SqueezeTransform(-1, in_keys=[key])),
        FLAT_AND_NESTED,
    ),
    "Stack": Example(lambda key: T.Stack(in_keys=[key], out_key="stack", dim=-1), ("plain", "stateful", "objectives")),
    "StepCounter": Example(lambda key: T.StepCounter()),
    "StepCounter-max_steps": Example(lambda key: T.StepCounter(max_steps=2)),
    "StepCounter-no_done": Example(lambda key: T.StepCounter(max_steps=2, update_done=False)),
    "TargetReturn": Example(lambda key: T.TargetReturn(10.0), ("plain", "stateful", "telling", "pixels")),
    "TargetReturn-constant": Example(
        lambda key: T.TargetReturn(10.0, mode="constant"), ("plain", "stateful", "pixels")
    ),
    "TensorDictPrimer": Example(
        lambda key: T.TensorDictPrimer(more=Unbounded((4,)), default_value=1.0, expand_specs=True), SINGLE
    ),
    "TensorDictPrimer-random": Example(
        lambda key: T.TensorDictPrimer(more=Unbounded((4,)), random=True, expand_specs=True), SINGLE, False
    ),
    "TerminateTransform": Example(lambda key: T.Compose(T.StepCounter(), T.TerminateTransform(third_step)), FLAT),
    "TimeMaxPool": Example(lambda key: T.TimeMaxPool(in_keys=[key], T=2), (*FLAT, "nested_done", "team")),
    "Timer": Example(lambda key: T.Timer(), repeats=False),
    "ToTensorImage": Example(lambda key: T.ToTensorImage(in_keys=["pixels"]), ("pixels", "grey")),
    "TrajCounter": Example(lambda key: T.TrajCounter(), ROOTED, repeats=False),
    "UnaryTransform": Example(lambda key: T.UnaryTransform([key], ["more"], fn=one_more), FLAT_AND_NESTED),
    "UnsqueezeTransform": Example(lambda key: T.UnsqueezeTransform(-2, in_keys=[key]), FLAT_AND_NESTED),
    "VecNorm": Example(lambda key: T.VecNorm(in_keys=[key, "reward"]), ("plain", "stateful", "objectives"), False),
    "VecNormV2": Example(lambda key: T.VecNormV2(in_keys=[key, "reward"]), ("plain", "stateful", "objectives"), False),
    "VecNormV2-stateless": Example(
        lambda key: T.VecNormV2(in_keys=[key], stateful=False), ("plain", "stateful", "objectives"), False
    ),
    "VecNormV2-stateless_reward": Example(
        lambda key: T.VecNormV2(in_keys=[key, "reward"], stateful=False), ("plain", "stateful", "objectives"), False
    ),
    "gSDENoise": Example(lambda key: T.gSDENoise(state_dim=3, action_dim=2), ("plain", "stateful"), False),
}


def with_more(key: Any, spec: Composite) -> Composite:
    """The observation spec with the output of a module."""
    spec["more"] = spec[key].clone()
    return spec


def of(name: str) -> Any:
    """A class of transforms, wherever this torchrl has it."""
    for place in PLACES:
        try:
            return getattr(importlib.import_module(place), name)
        except (ImportError, AttributeError):
            continue
    raise Unverified(f"torchrl {version('torchrl')} has no transform {name}")


def reads_alone(name: str) -> bool:
    """Whether a transform leaves to its base class how a step is taken; one that this torchrl does not have may do so."""
    try:
        return of(name.partition("-")[0])._step is T.Transform._step
    except Unverified:
        return True


def beside(key: Any, name: str) -> Any:
    """The key of another entry in the same place."""
    return name if isinstance(key, str) else (*key[:-1], name)


def transform(name: str, world: str) -> T.Transform:
    """One transform for an environment of one kind."""
    of(name.partition("-")[0])
    trouble = unmet(EXAMPLES[name].needs) if EXAMPLES[name].needs else None
    if trouble:
        raise Unverified(*trouble)
    return EXAMPLES[name].make(OBSERVED.get(world, "observation"))


BROKEN = (  # what some release had wrong
    "LineariseRewards/objectives",
    "LineariseRewards-weights/objectives",
    "PolicyVersion/plain",
    "StepCounter/stateful",
    "StepCounter-max_steps/ending_team",
)


def everywhere(
    every: int, *, keep: Sequence[str] = (), batches: bool = False, repeats: bool = False, alone: bool = False
) -> Any:
    """The mark of a law for each transform in each environment that it is for; a sample of them in the cpu tier.

    Args:
        every: one of so many is in the sample; 0: every fourth transform once, and what releases had wrong.
        keep: cases that are in it, too.
        batches: only those that are for several environments at once.
        repeats: only those that give the same again.
        alone: only those that read what a step returns, and have no other part in it.
    """
    fit = {
        name: it
        for name, it in EXAMPLES.items()
        if (it.batches or not batches) and (it.repeats or not repeats) and (not alone or reads_alone(name))
    }
    there = [f"{name}/{world}" for name, it in fit.items() if not it.needs for world in it.worlds]
    first = [f"{name}/{it.worlds[0]}" for name, it in [*fit.items()][::4]] + [*BROKEN] if not every else keep
    needing = [f"{name}/{world}" for name, it in fit.items() if it.needs for world in it.worlds]
    optional = [pytest.param(case, marks=pytest.mark.tier("optional")) for case in needing]
    return pytest.mark.parametrize("case", [*sampled(there, every=every, keep=first), *optional])


def ended(data: TensorDictBase) -> list[str]:
    """Where the flags of an end disagree: with each other, or with those above them."""
    trouble = []
    keys = [key for key in data.keys(True, True) if last(key) == "done"]
    for key in keys:
        path = () if isinstance(key, str) else key[:-1]
        done, terminated, truncated = (data.get((*path, name), None) for name in ("done", "terminated", "truncated"))
        if terminated is not None and truncated is not None and not torch.equal(done, terminated | truncated):
            trouble.append(f"{key} is not what terminated and truncated beside it say")
        if path and "done" in keys:
            above = data["done"]
            while above.ndim < done.ndim:
                above = above.unsqueeze(-2)
            if (above & ~done).any():
                trouble.append(f"done is set at the root and not in {key}")
    return trouble


@everywhere(0)
def test_specs(case: str, steps: int) -> None:
    """What a transformed environment returns lies in its specs, and its ends agree on every level."""
    name, world = case.split("/")
    env = TransformedEnv(WORLDS[world](), transform(name, world))
    obeys(env, steps)
    data = env.rollout(4, break_when_any_done=False)
    assert "no_done" in name or not ended(data["next"]), "; ".join(ended(data["next"]))
    flat = [key for key in env.reward_keys if len(env.full_reward_spec[key].shape) == len(env.batch_size)]
    assert not flat, f"{flat} has no dimension of its own, as every reward and every end has"


@everywhere(0, batches=True, repeats=True, alone=True)
def test_recorded(case: str) -> None:
    """What a transform makes of recorded steps, of one or of many, is what it makes of each in an environment."""
    name, world = case.split("/")
    base, inside = WORLDS[world](), transform(name, world)
    recorded = base.rollout(4, Idle(base), break_when_any_done=False)["next"]
    absent = [key for key in inside.in_keys or () if key not in recorded.keys(True, True)]
    if absent:
        raise Unverified(f"{name} reads {', '.join(map(str, absent))}, which no step returns")
    env = TransformedEnv(WORLDS[world](), inside)
    policy = Idle(env)
    env.reset()
    begun = {key: value.clone() for key, value in inside.state_dict().items()}
    expected = env.rollout(4, policy, break_when_any_done=False)["next"]
    if any(not torch.equal(value, begun[key]) for key, value in inside.state_dict().items()):
        raise Unverified(f"{name} keeps something of the steps before")
    for shape in ((), (4,), (2, 2)):
        given, wanted = (data.reshape(shape) if shape else data[0] for data in (recorded, expected))
        try:
            made = transform(name, world)(given.clone())
        except NotImplementedError as error:
            raise Unverified(f"{name} is for environments only: {error}") from None
        # not what it leaves out: an environment has its rewards and ends, whatever a transform removes
        other = differing(wanted.clone().update(made), wanted)
        assert not other, f"of recorded steps of shape {shape} it makes another {', '.join(other)}"


@everywhere(233, batches=True, keep=["StepCounter/silent"])
def test_specs_of_a_batch(case: str, steps: int) -> None:
    """The same for an environment with a batch."""
    name, world = case.split("/")
    obeys(TransformedEnv(WORLDS[world](batch=(2,)), transform(name, world)), steps)


@everywhere(397, batches=True, repeats=True)
def test_rows(case: str) -> None:
    """Environments that end at different times, under one transform, give what each gives under its own."""
    name, world = case.split("/")
    horizons = (2, 3)
    envs = [partial(WORLDS[world], horizon=horizon) for horizon in horizons]
    together = TransformedEnv(SerialEnv(2, envs), transform(name, world))
    both = together.rollout(6, Idle(together), break_when_any_done=False)
    for row, env in enumerate(envs):
        alone = TransformedEnv(SerialEnv(1, env), transform(name, world))
        one = alone.rollout(6, Idle(alone), break_when_any_done=False)
        assert not differing(both[row], one[0]), (
            f"of the one that ends after {horizons[row]}: {differing(both[row], one[0])}"
        )


@everywhere(181)
def test_specs_stay(case: str) -> None:
    """A transform leaves alone the specs of the environment below, and using it those of the one above."""
    name, world = case.split("/")
    base = WORLDS[world](horizon=2)
    kinds = ("input_spec", "output_spec")
    below = [getattr(base, kind).clone() for kind in kinds]
    env = TransformedEnv(base, transform(name, world))
    above = [getattr(env, kind).clone() for kind in kinds]
    env.rollout(4, break_when_any_done=False)
    assert [getattr(base, kind) for kind in kinds] == below
    assert [getattr(env, kind) for kind in kinds] == above
    if EXAMPLES[name].repeats:
        env.empty_cache()
        assert [getattr(env, kind) for kind in kinds] == above


@everywhere(199, repeats=True)
def test_compose(case: str) -> None:
    """A transform alone in a composition does what it does without."""
    name, world = case.split("/")
    plain = TransformedEnv(WORLDS[world](horizon=3), transform(name, world))
    composed = TransformedEnv(WORLDS[world](horizon=3), T.Compose(transform(name, world)))
    assert composed.input_spec == plain.input_spec
    assert composed.output_spec == plain.output_spec
    one, other = (env.rollout(4, Idle(env), break_when_any_done=False) for env in (plain, composed))
    assert not differing(one, other)


@everywhere(307, repeats=True)
def test_copy(case: str) -> None:
    """A copy of a transform, its state carried over, does what the original does."""
    name, world = case.split("/")
    original = transform(name, world)
    copies = {"cloned": original.clone(), "pickled": pickle.loads(pickle.dumps(original))}
    env = TransformedEnv(WORLDS[world](horizon=3), original)
    expected = env.rollout(4, Idle(env), break_when_any_done=False)
    for way, copied in copies.items():
        again = TransformedEnv(WORLDS[world](horizon=3), copied)
        again.rollout(2, Idle(again))  # some have no state before
        copied.load_state_dict(original.state_dict())
        assert not differing(again.rollout(4, Idle(again), break_when_any_done=False), expected), way
        assert copied.parent is not original.parent


def others() -> list[str]:
    """The public transforms that have no example."""
    names = {name.partition("-")[0] for name in EXAMPLES}
    found = classes(T.Transform, *PLACES)
    return [name for name in found if name not in names and name not in TABLE["elsewhere"]]


@pytest.mark.parametrize("name", others())
def test_other(name: str, steps: int) -> None:
    """Transforms that are new, and can be built without arguments, obey the law of specs."""
    cls = of(name)
    try:
        inspect.signature(cls.__init__).bind(None)
    except TypeError as error:
        raise Unverified(f"{name} is not built without arguments: {error}") from None
    obeys(TransformedEnv(WORLDS["plain"](), cls()), steps)
