"""Value estimators: each agrees with the recursion that defines it, whatever form the data and the options have."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
import torch
from tensordict import TensorDict
from torchrl.objectives.value import ValueEstimatorBase

from ..outcome import Unverified
from ..seed import reseed
from ..table import load
from ._losses import agents_value, filled, gaussian, value
from ._public import classes, parameters, present, sampled

TABLE = load(__file__)
GAMMA, LAMBDA = 0.9, 0.8
GIVEN = {"gamma": GAMMA, "lmbda": LAMBDA}
PUBLIC = classes(ValueEstimatorBase, "torchrl.objectives.value")
OLD = {
    name: f"{name[:-1]}or" for name in PUBLIC if f"{name[:-1]}or" in PUBLIC
}  # TD0Estimate is what TD0Estimator was called
ESTIMATORS = {name: cls for name, cls in PUBLIC.items() if cls is not ValueEstimatorBase and name not in OLD}
READ = ["observation", "action", "action_log_prob", "sample_log_prob", "is_init"]
NEXT = ["observation", "reward", "done", "terminated", "truncated"]
# the share of later rewards in the return that an estimator aims at; those without are compared with themselves alone
RETURNS = {"GAE": LAMBDA, "TDLambdaEstimator": LAMBDA, "TD1Estimator": 1.0, "TD0Estimator": 0.0}


def build(name: str, dtype: torch.dtype = torch.float32, **arguments: Any) -> ValueEstimatorBase:
    """An estimator with small networks, the same for every call."""
    reseed(3)
    cls = ESTIMATORS[name]
    networks = {"value_network": agents_value() if "MultiAgent" in name else value()}
    if "actor_network" in parameters(cls):
        networks["actor_network"] = gaussian()
    networks = {key: network.to(dtype) for key, network in networks.items()}
    made = cls(**networks, **{key: one for key, one in GIVEN.items() if key in parameters(cls)}, **arguments)
    if "MultiAgent" in name:
        made.set_keys(value=("agents", "state_value"))
    return made


def trajectories(name: str, size: tuple[int, ...] = (2, 6)) -> TensorDict:
    """Consecutive steps of which the first row is terminated at its third, the second truncated at its fourth."""
    data = filled([*READ, *(("next", key) for key in NEXT)], size)
    observation = torch.randn(
        *size[:-1], size[-1] + 1, data["observation"].shape[-1], generator=torch.Generator().manual_seed(5)
    )
    data["observation"], data["next", "observation"] = observation[..., :-1, :], observation[..., 1:, :]
    ends = data["next"]
    if len(size) == 2 and size[1] > 3:
        ends["terminated"][0, 2] = ends["done"][0, 2] = True
        if size[0] > 1:
            ends["truncated"][1, 3] = ends["done"][1, 3] = True
    if "MultiAgent" in name:
        for part in (data, ends):
            part["agents", "observation"] = torch.stack(
                [part["observation"], -part["observation"], part["observation"] / 2], -2
            )
    return data


def estimated(estimator: ValueEstimatorBase, data: TensorDict) -> TensorDict:
    """What an estimator writes: the declared keys alone."""
    return estimator(data.clone()).select(*estimator.out_keys)


def same(first: TensorDict, second: TensorDict, what: str) -> None:
    """Two results have the same keys and values."""
    for key in first.keys(True, True):
        close = torch.allclose(first[key], second[key], rtol=1e-3, atol=1e-4)
        assert close, f"{key} differs by {float((first[key] - second[key]).abs().max()):.3g} {what}"


def returns(data: TensorDict, now: torch.Tensor, after: torch.Tensor, share: float) -> torch.Tensor:
    """The lambda-return by its definition, backwards through time; values of states where an episode ended count only
    if it was truncated."""
    reward, done, terminated = (data["next", key] for key in ("reward", "done", "terminated"))
    found, later = [], after[..., -1, :]
    for step in reversed(range(reward.shape[-2])):
        at = (..., step, slice(None))
        bootstrap = torch.where(terminated[at], 0.0, after[at])
        later = torch.where(done[at], bootstrap, (1 - share) * bootstrap + share * later)
        later = reward[at] + GAMMA * later
        found.append(later)
    return torch.stack(found[::-1], -2)


@pytest.mark.parametrize("name", OLD)
def test_old_name(name: str) -> None:
    """A class that has a new name is still built under the old one, and says so."""
    with pytest.warns(UserWarning, match="deprecated"):
        PUBLIC[name](
            **{key: one for key, one in GIVEN.items() if key in parameters(PUBLIC[OLD[name]])}, value_network=value()
        )


@pytest.mark.parametrize("name", ESTIMATORS)
def test_out_keys(name: str) -> None:
    """Finite values of one per step are written under the declared keys, and the rest of the data stays as it is."""
    estimator, data = build(name), trajectories(name)
    before = data.clone()
    output = estimator(data)
    for key in estimator.out_keys:
        assert key in output.keys(True), f"{key} is declared and not written"
        assert output[key].shape[:2] == data.shape, f"{key} has shape {tuple(output[key].shape)}"
        assert bool(output[key].isfinite().all()), f"{key} is {output[key]}"
        assert not output[key].requires_grad, f"{key} is part of a graph, though the estimator is not differentiable"
    changed = [key for key in before.keys(True, True) if not torch.equal(before[key], output[key])]
    assert not changed, f"{changed} of the data are changed"


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name in RETURNS])
def test_definition(name: str) -> None:
    """Targets and advantages are what the definition gives, across episodes that end within the data."""
    estimator, data = build(name), trajectories(name)
    net = value_of(estimator)
    with torch.no_grad():
        now, after = net(data["observation"]), net(data["next", "observation"])
    wanted = returns(data, now, after, RETURNS[name])
    output = estimated(estimator, data)
    target, advantage = output["value_target"], output["advantage"]
    assert torch.allclose(target, wanted, rtol=1e-3, atol=1e-4), (
        f"the targets are off by {(target - wanted).abs().max()}"
    )
    assert torch.allclose(advantage, wanted - now, rtol=1e-3, atol=1e-4), (
        "the advantages are not the targets less the values"
    )


def value_of(estimator: ValueEstimatorBase) -> Any:
    """The network that gives an estimator its values."""
    return lambda observation: estimator.value_network.module(observation)


@pytest.mark.parametrize("name", sampled(ESTIMATORS, every=2))
def test_nan_after_the_end(name: str) -> None:
    """What stands for the observation after an episode's end does not matter, be it NaN."""
    estimator, data = build(name), trajectories(name)
    other = data.clone()
    for key in list(data["next"].keys(True, True)):
        if "observation" in key:
            other["next", key][0, 2] = torch.nan
    same(estimated(estimator, data), estimated(estimator, other), "when the observation after the end is NaN")


@pytest.mark.parametrize("name", sampled(ESTIMATORS, every=3))
def test_row(name: str) -> None:
    """A batch of one gives what the row of a batch of two gives, and so does a trajectory without a batch."""
    estimator, data = build(name), trajectories(name)
    both = estimated(estimator, data)
    same(both[:1], estimated(estimator, data[:1]), "in a batch of one")
    same(both[0], estimated(estimator, data[0]), "without a batch")


def options() -> list[str]:
    """Each estimator with each option that it has."""
    return [
        f"{name}-{option}"
        for name, cls in ESTIMATORS.items()
        for option in TABLE["options"]
        if option in parameters(cls)
    ]


@pytest.mark.parametrize("case", sampled(options(), every=5))
def test_options(case: str) -> None:
    """An option that says how to compute does not change what is computed."""
    name, _, option = case.partition("-")
    row = TABLE["options"][option]
    data = trajectories(name)
    if row.get("consecutive"):
        data["next", "done"][:] = data["next", "terminated"][:] = data["next", "truncated"][:] = False
    plain, other = build(name, **row.get("plain", {})), build(name, **{option: row["value"]})
    same(estimated(plain, data), estimated(other, data), f"with {option}={row['value']}")


@pytest.mark.parametrize("name", [name for name, cls in ESTIMATORS.items() if "time_dim" in parameters(cls)])
def test_time_dimension(name: str) -> None:
    """With time as the first dimension the values are the same."""
    data = trajectories(name)
    wanted, given = estimated(build(name), data), estimated(build(name, time_dim=0), data.transpose(0, 1).contiguous())
    same(wanted, given.transpose(0, 1), "with time as the first dimension")


@pytest.mark.parametrize("name", sampled(ESTIMATORS, every=2))
def test_differentiable(name: str) -> None:
    """A differentiable estimator passes finite gradients on to the rewards."""
    estimator, data = build(name, differentiable=True), trajectories(name)
    reward = data["next", "reward"].requires_grad_()
    output = estimator(data)
    sum(output[key].sum() for key in estimator.out_keys).backward()
    assert reward.grad is not None, "the reward has no gradient"
    assert bool(reward.grad.isfinite().all()) and bool(reward.grad.any()), (
        f"the gradient of the reward is {reward.grad}"
    )


@pytest.mark.parametrize("name", sampled(ESTIMATORS, every=3))
def test_double(name: str) -> None:
    """In double precision the values are the same, and double."""
    data = trajectories(name)
    wanted = estimated(build(name), data)
    twice = data.clone().apply(lambda one: one.double() if one.is_floating_point() else one)
    given = estimated(build(name, torch.float64), twice)
    kept = [key for key in given.keys(True, True) if given[key].dtype == torch.float64]
    assert len(kept) == len(list(given.keys(True, True))), f"only {kept} are double"
    same(wanted, given.float(), "in double precision")


@pytest.mark.parametrize("name", sampled(ESTIMATORS, every=2))
def test_renamed_keys(name: str) -> None:
    """With reward and done under other names, and set_keys told, the values are the same."""
    data = trajectories(name)
    wanted = estimated(build(name), data)
    renamed = build(name)
    for key in ("reward", "done", "terminated"):
        renamed.set_keys(**{key: f"other_{key}"})
        data.rename_key_(("next", key), ("next", f"other_{key}"))
    same(wanted, estimated(renamed, data), "under other names")


def functions() -> list[str]:
    """The functional estimators of which there is a vectorized form."""
    module = present("torchrl.objectives.value.functional")
    return [name for name in dir(module) if callable(getattr(module, name)) and hasattr(module, f"vec_{name}")]


@pytest.mark.parametrize("gamma", ["number", "tensor"])
@pytest.mark.parametrize("name", functions())
def test_vectorized(name: str, gamma: str) -> None:
    """The vectorized form of an estimator gives what the loop gives."""
    module = present("torchrl.objectives.value.functional")
    data = trajectories("")
    values = {"state_value": data["observation"][..., :1], "next_state_value": data["next", "observation"][..., :1]}
    values |= {key: data["next", key] for key in ("reward", "done", "terminated")}
    discount = GAMMA if gamma == "number" else torch.full((*data.shape, 1), GAMMA)
    values |= {"gamma": discount, "lmbda": LAMBDA}
    loop, vectorized = (
        function(**{key: one for key, one in values.items() if key in inspect.signature(function).parameters})
        for function in (getattr(module, name), getattr(module, f"vec_{name}"))
    )
    pairs = zip(loop, vectorized) if isinstance(loop, tuple) else [(loop, vectorized)]
    for first, second in pairs:
        assert torch.allclose(first, second, rtol=1e-3, atol=1e-4), f"they differ by {(first - second).abs().max()}"


@pytest.mark.tier("compile")
@pytest.mark.limit(300)
@pytest.mark.parametrize("name", ["GAE", "TD0Estimator", "TDLambdaEstimator"])
def test_compiled(name: str) -> None:
    """Compiled, an estimator gives what it gives otherwise."""
    estimator, data = build(name), trajectories(name)
    wanted = estimated(estimator, data)
    torch._dynamo.reset()
    given = torch.compile(estimator, backend="eager")(data.clone()).select(*estimator.out_keys)
    same(wanted, given, "compiled")


@pytest.mark.tier("gpu")
@pytest.mark.needs("cuda")
@pytest.mark.parametrize("name", ESTIMATORS)
def test_on_gpu(name: str) -> None:
    """On a GPU an estimator gives what it gives on the CPU."""
    wanted = estimated(build(name), trajectories(name))
    estimator = build(name)
    for network in ("value_network", "actor_network"):
        if getattr(estimator, network, None) is not None:
            getattr(estimator, network).to("cuda")
    given = estimated(estimator.to("cuda"), trajectories(name).to("cuda"))
    same(wanted, given.cpu(), "on a GPU")


if not ESTIMATORS:
    raise Unverified("this torchrl has no value estimators")
