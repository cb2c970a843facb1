"""Losses: what they declare is what they do, in every variant of their constructors."""

from __future__ import annotations

import copy
import math
from functools import cache
from typing import Any

import pytest
import torch
from tensordict import TensorDict
from torchrl.modules import ValueOperator
from torchrl.objectives import HardUpdate, LossModule, SoftUpdate, ValueEstimators

from ..outcome import Unverified
from ..seed import reseed
from ..table import load
from ._losses import (
    ATOMS,
    NETWORKS,
    OBSERVATION,
    RECIPES,
    Joined,
    batch,
    build,
    discrete,
    gaussian,
    losses,
    recipe,
    values,
)
from ._public import parameters, sampled

TABLE = load(__file__)
LOSSES = losses()
BUILT = [name for name in LOSSES if name in RECIPES]

pytestmark = pytest.mark.filterwarnings("ignore:No target network updater")


def variants() -> list[str]:
    """Each loss with each variant that its constructor admits."""
    return [
        f"{name}-{variant}"
        for name in BUILT
        for variant, arguments in TABLE["variants"].items()
        if set(arguments) <= set(parameters(LOSSES[name]))
    ]


def taking(*names: str) -> list[str]:
    """The losses whose constructor has all these parameters."""
    return [name for name in BUILT if set(names) <= set(parameters(LOSSES[name]))]


def evaluated(loss: LossModule, data: TensorDict, seed: int = 0) -> TensorDict:
    """What a loss gives, with the same random numbers for the same seed; the data stays as it is."""
    reseed(seed)
    return loss(data.clone())


@cache
def built(name: str) -> tuple[LossModule, TensorDict]:
    """A loss, and what it gives for its data; for laws that only look."""
    loss = build(name)
    return loss, evaluated(loss, batch(loss))


def total(output: TensorDict) -> torch.Tensor:
    """The sum of what is to be minimised."""
    terms = [value.sum() for key, value in output.items() if key.startswith("loss")]
    assert terms, f"none of {list(output.keys())} is a loss"
    return sum(terms)


def trains(loss: LossModule, output: TensorDict) -> None:
    """The output is finite, and so are the gradients that it gives, of which there are some."""
    for key, value in output.items(True, True):
        assert bool(value.isfinite().all()), f"{key} is {value}"
    total(output).backward()
    gradients = {name: value.grad for name, value in loss.named_parameters() if value.grad is not None}
    assert gradients, "no parameter has a gradient"
    infinite = [name for name, value in gradients.items() if not bool(value.isfinite().all())]
    assert not infinite, f"the gradients of {infinite} are not finite"


def alike(first: TensorDict, second: TensorDict, what: str) -> None:
    """Two outputs have the same keys and the same values."""
    for key in first.keys(True, True):
        close = torch.allclose(first[key], second[key], rtol=1e-3, atol=1e-4)
        assert close, f"{key} is {first[key]}, and {second[key]} {what}"


looked = pytest.mark.parametrize("name", sampled(BUILT, every=6, keep=["ClipPPOLoss"]))


@pytest.mark.parametrize("name", [name for name in LOSSES if name not in RECIPES])
def test_unbuilt(name: str) -> None:
    """The losses for whose networks there is no recipe, so that none of the laws is checked of them."""
    recipe(name)


@looked
def test_gradients(name: str) -> None:
    """The loss is finite, and every parameter of its networks that is no target gets a finite gradient."""
    loss, output = built(name)
    trains(loss, output)
    without = [name for name, value in loss.named_parameters() if value.grad is None and not name.startswith("target_")]
    assert not without, f"{without} get no gradient"


@pytest.mark.parametrize("name", sampled(BUILT, every=9, keep=["DDPGLoss", "ReinforceLoss"]))
def test_in_keys(name: str) -> None:
    """The declared in_keys, and nothing else, are enough, and what is read is left as it was."""
    loss = build(name)
    assert loss.in_keys, "no in_keys are declared"
    data = batch(loss)
    before = data.clone()
    loss(data)
    changed = [key for key in before.keys(True, True) if not torch.equal(before[key], data[key])]
    assert not changed, f"the loss changes {changed} of the data that it reads"


@looked
def test_out_keys(name: str) -> None:
    """Every declared out_key is given."""
    loss, output = built(name)
    missing = set(loss.out_keys) - set(output.keys(True))
    assert not missing, f"{sorted(map(str, missing))} are declared and not given"


@looked
def test_undeclared_out_keys(name: str) -> None:
    """Nothing is given that is not declared."""
    loss, output = built(name)
    more = set(output.keys(True, True)) - set(loss.out_keys)
    assert not more, f"{sorted(map(str, more))} are given and not declared"


@pytest.mark.parametrize("name", sampled(BUILT, every=14, keep=["ClipPPOLoss"]))
def test_batch_of_one(name: str) -> None:
    """A batch of one gives what one of two gives: as many dimensions and, if its two rows are equal, the same values."""
    loss = build(name)
    one = batch(loss, (1, 4))
    alone, both = evaluated(loss, one), evaluated(loss, torch.cat([one, one]))
    for key in alone.keys(True, True):
        first, second = alone[key], both[key]
        pairs = list(zip(first.shape, second.shape))
        fits = first.ndim == second.ndim and all(pair in ((1, 2), (pair[0], pair[0])) for pair in pairs)
        assert fits, f"{key} has shape {tuple(first.shape)} in a batch of one and {tuple(second.shape)} in one of two"
        if first.shape == second.shape and not recipe(name).get("noise"):
            same = torch.allclose(first, second, rtol=1e-3, atol=1e-4)
            assert same, f"{key} is {first} of one row, and {second} of the same row twice"


@pytest.mark.parametrize("name", sampled(taking("reduction"), every=19))
def test_reductions(name: str) -> None:
    """The mean and the sum are the mean and the sum of what is given without a reduction."""
    kept = {"scalar_output_mode": "exclude"} if name in taking("scalar_output_mode") else {}
    outputs = {}
    for reduction, arguments in (("none", kept), ("mean", {}), ("sum", {})):
        loss = build(name, reduction=reduction, **arguments)
        outputs[reduction] = evaluated(loss, batch(loss))
    for key, value in outputs["none"].items():
        if not key.startswith("loss") or not value.ndim:
            continue
        for reduction, wanted in (("mean", value.mean()), ("sum", value.sum())):
            given = outputs[reduction][key]
            assert given.numel() == 1, f"{key} of reduction {reduction} has shape {tuple(given.shape)}"
            close = torch.allclose(given, wanted, rtol=1e-3, atol=1e-4)
            assert close, f"the {reduction} of {key} is {given}, not {wanted}"


@pytest.mark.parametrize(
    "name", sampled([name for name in taking("reduction") if not RECIPES[name].get("noise")], every=6)
)
def test_padding(name: str) -> None:
    """Rows that the collector's mask marks as padding do not count."""
    loss = build(name)
    data = batch(loss, (3, 4))
    padded = data.clone()
    for value in padded.values(True, True):
        if value.is_floating_point():
            value[2] *= 10
    mask = torch.ones(*data.shape, 1, dtype=torch.bool)
    mask[2] = False
    padded.set(("collector", "mask"), mask)
    wanted, given = evaluated(loss, data[:2]), evaluated(loss, padded)
    alike(wanted.select(*[key for key in wanted.keys() if key.startswith("loss")]), given, "with a row of padding")


@pytest.mark.parametrize("name", sampled(taking("qvalue_network", "num_qvalue_nets"), every=5))
def test_list_of_critics(name: str) -> None:
    """A list of critics is as good as one critic: the loss is finite, and each gets a gradient."""
    loss = of_critics(name)
    trains(loss, evaluated(loss, batch(loss)))
    for key, value in loss.qvalue_network_params.items(True, True):
        moved = value.grad is not None and all(bool(row.any()) for row in value.grad)
        assert moved, f"{key} of some network of the list gets no gradient"


def of_critics(name: str, number: int = 3) -> LossModule:
    """A loss with a list of critics."""
    critics = [NETWORKS[recipe(name)["networks"]["qvalue_network"]]() for _ in range(number)]
    return build(name, networks={"qvalue_network": critics}, num_qvalue_nets=number)


@pytest.mark.parametrize("name", sampled(taking("qvalue_network", "num_qvalue_nets"), every=9, keep=["SACLoss"]))
def test_targets_of_critics(name: str) -> None:
    """The targets of a list of critics follow all of them."""
    loss = of_critics(name)
    try:
        updater = SoftUpdate(loss, eps=0.25)
    except RuntimeError as error:
        if "Did not find any target" not in str(error):
            raise
        raise Unverified(f"{name} has no targets") from None
    followed(loss, updater, 0.75)


@pytest.mark.parametrize("name", sampled(BUILT, every=14))
def test_targets(name: str) -> None:
    """Targets start as copies, take no gradient, and follow as the updater says."""
    loss = build(name)
    try:
        updater = SoftUpdate(loss, eps=0.25)
    except RuntimeError as error:
        if "Did not find any target" not in str(error):
            raise
        raise Unverified(f"{name} has no targets") from None
    followed(loss, updater, 0.75)
    loss = build(name)
    updater = HardUpdate(loss, value_network_update_interval=1)
    updater.step()
    followed(loss, updater, 1.0)


def followed(loss: LossModule, updater: Any, share: float) -> None:
    """A step of an updater moves each target the share of the way towards what it follows."""
    pairs = [
        (name, key, getattr(loss, name)[key], source)
        for attribute in updater._source_names
        for name in [f"target_{attribute}"]
        for key, source in getattr(loss, attribute).items(True, True)
        if source.requires_grad
    ]
    assert not any(target.requires_grad for _, _, target, _ in pairs), "a target takes a gradient"
    starts = [target.clone() for _, _, target, _ in pairs]
    for *_, source in pairs:
        source.data.add_(1)
    updater.step()
    for (name, key, target, source), start in zip(pairs, starts):
        close = torch.allclose(target, start + share * (source.data - start), atol=1e-4)
        assert close or torch.equal(target, source.data), f"{name} {key} does not follow what it is the target of"


@pytest.mark.parametrize("width", ["1", "3"])
@pytest.mark.parametrize("name", taking("target_entropy", "actor_network", "qvalue_network"))
def test_target_entropy(name: str, width: str) -> None:
    """The automatic target entropy is the negative number of action dimensions; of categories, a share of the highest."""
    row, number = recipe(name), int(width)
    if row.get("discrete"):
        number += 1
        networks = {"actor_network": discrete(number), "qvalue_network": values(number)}
        loss = build(name, networks=networks, num_actions=number)
        wanted = 0.98 * math.log(number)
    else:
        outputs = ATOMS if row["networks"]["qvalue_network"] == "quantiles" else 1
        net = ValueOperator(Joined(OBSERVATION + number, outputs), in_keys=["observation", "action"])
        loss = build(name, networks={"actor_network": gaussian(width=number), "qvalue_network": net})
        wanted = -number
    given = float(loss.target_entropy)
    assert math.isclose(given, wanted, abs_tol=1e-4), (
        f"with {number} actions the target entropy is {given}, not {wanted}"
    )


@pytest.mark.parametrize("case", sampled(variants(), every=60, keep=["CrossQLoss-target-entropy"]))
def test_variants(case: str) -> None:
    """Each variant of the constructor gives a finite loss and finite gradients."""
    name, _, variant = case.partition("-")
    loss = build(name, **TABLE["variants"][variant])
    trains(loss, evaluated(loss, batch(loss)))


@pytest.mark.parametrize("name", sampled(taking("deactivate_vmap"), every=8))
def test_without_vmap(name: str) -> None:
    """Without vmap the values are the same."""
    if recipe(name).get("noise"):
        raise Unverified("it draws random numbers, and draws them otherwise without vmap")
    outputs = [evaluated(loss, batch(loss)) for loss in (build(name), build(name, deactivate_vmap=True))]
    alike(*outputs, "without vmap")


@pytest.mark.parametrize("name", sampled(BUILT, every=29))
def test_state_dict(name: str) -> None:
    """A loss that loads another's state gives the same, and keeps it when the other is trained further."""
    first, second, third = build(name), build(name), build(name)
    for value in first.parameters():
        value.data.mul_(1.1)
    state = first.state_dict()
    for loss in (second, third):
        loss.load_state_dict(state)
    data = batch(first)
    wanted = evaluated(first, data)
    alike(wanted, evaluated(second, data), "in a loss that has loaded its state")
    for value in (*first.parameters(), *first.buffers()):
        if value.is_floating_point():
            value.data.add_(1)
    alike(wanted, evaluated(third, data), "in a loss that loaded its state before it was changed")


@pytest.mark.parametrize("name", sampled(BUILT, every=29))
def test_copy(name: str) -> None:
    """A deep copy gives the same."""
    loss = build(name)
    copied, data = copy.deepcopy(loss), batch(loss)
    alike(evaluated(loss, data), evaluated(copied, data), "in a deep copy")


@pytest.mark.parametrize("name", sampled(BUILT, every=8))
def test_unknown_key(name: str) -> None:
    """A key that the loss does not know is refused, and those that it knows are accepted one by one."""
    loss = build(name)
    try:
        loss.set_keys(no_such_key="x")
    except ValueError:
        pass
    else:
        raise AssertionError("set_keys(no_such_key=...) is accepted")
    for field, value in vars(loss.tensor_keys).items():
        loss.set_keys(**{field: value})


@pytest.mark.parametrize("name", sampled(BUILT, every=20))
def test_renamed_keys(name: str) -> None:
    """With reward, done and the like under other names, and set_keys told, the values are the same."""
    loss = build(name)
    data = batch(loss)
    wanted = evaluated(loss, data)
    renamed = build(name)
    fields = {field: key for field, key in vars(loss.tensor_keys).items() if field in ("reward", "done", "terminated")}
    if not fields:
        raise Unverified(f"{name} reads no reward, done or terminated")
    renamed.set_keys(**{field: f"other_{field}" for field in fields})
    for field, key in fields.items():
        if ("next", key) in data.keys(True):
            data.rename_key_(("next", key), ("next", f"other_{field}"))
    missing = [key for key in renamed.in_keys if key not in data.keys(True)]
    assert not missing, f"after set_keys the in_keys name {missing}"
    alike(wanted, evaluated(renamed, data), "under other names")


@pytest.mark.parametrize("estimator", [estimator.name for estimator in ValueEstimators])
@pytest.mark.parametrize("name", sampled(taking("gamma"), every=24))
def test_value_estimators(name: str, estimator: str) -> None:
    """Each value estimator that a loss accepts gives a finite loss and finite gradients; the others are refused."""
    loss = build(name)
    try:
        loss.make_value_estimator(ValueEstimators[estimator])
    except NotImplementedError as error:
        assert estimator not in recipe(name).get("estimators", ()), f"it is refused: {error}"
        return
    if estimator not in recipe(name).get("estimators", [estimator]):
        raise Unverified(f"the data of {name} does not fit {estimator}")
    more = loss.value_estimator.in_keys if loss.value_estimator is not None else ()
    trains(loss, evaluated(loss, batch(loss, more=more)))


@pytest.mark.parametrize("name", sampled(BUILT, every=11))
def test_reset(name: str) -> None:
    """Resetting the parameters changes them."""
    loss = build(name)
    before = {key: value.clone() for key, value in loss.named_parameters() if value.ndim > 1}
    loss.reset_parameters_recursive()
    same = [key for key, value in loss.named_parameters() if key in before and torch.equal(before[key], value)]
    assert not same, f"{same} are as before"


@pytest.mark.tier("compile")
@pytest.mark.limit(300)
@pytest.mark.parametrize(
    "name", ["A2CLoss", "BCLoss", "ClipPPOLoss", "DDPGLoss", "DQNLoss", "IQLLoss", "ReinforceLoss"]
)
def test_compiled(name: str) -> None:
    """Compiled, a loss gives what it gives otherwise."""
    loss = build(name)
    data = batch(loss)
    wanted = evaluated(loss, data)
    torch._dynamo.reset()
    reseed(0)
    given = torch.compile(loss, backend="eager")(data.clone())
    alike(wanted.select(*[key for key in wanted.keys() if key.startswith("loss")]), given, "compiled")


@pytest.mark.tier("gpu")
@pytest.mark.limit(120)
@pytest.mark.needs("cuda")
@pytest.mark.parametrize("name", BUILT)
def test_on_gpu(name: str) -> None:
    """On a GPU a loss gives what it gives on the CPU, and all of it on the GPU."""
    loss = build(name)
    data = batch(loss)
    wanted = evaluated(loss, data)
    given = evaluated(loss.to("cuda"), data.to("cuda"))
    elsewhere = [key for key in given.keys(True, True) if given[key].device.type != "cuda"]
    assert not elsewhere, f"{elsewhere} are not on the GPU"
    if not recipe(name).get("noise"):
        alike(wanted, given.cpu(), "on a GPU")


@pytest.mark.tier("gpu")
@pytest.mark.limit(300)
@pytest.mark.needs("cuda", "torchrl.modules")
@pytest.mark.parametrize("name", ["DQNLoss", "DDPGLoss", "ClipPPOLoss"])
def test_cudagraphs(name: str) -> None:
    """Captured in a CUDA graph, a loss gives for new data what it gives otherwise."""
    from tensordict.nn import CudaGraphModule

    loss = build(name).to("cuda")
    captured = CudaGraphModule(lambda data: loss(data), warmup=3)
    for seed in range(6):
        data = batch(loss, seed=seed).to("cuda")
        wanted = loss(data.clone()).detach().clone()
        given = captured(data.clone())
    alike(wanted.select(*[key for key in wanted.keys() if key.startswith("loss")]), given, "in a CUDA graph")
