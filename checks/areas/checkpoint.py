"""Checkpoints: what is loaded is what was saved, in every format, and shares nothing with it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from ._losses import batch, build
from ._public import present, sampled

pytestmark = [
    pytest.mark.needs("torchrl.checkpoint.Checkpoint"),
    pytest.mark.filterwarnings("ignore:No target network updater"),
]
FORMATS = ("directory", "archive")
MODULE = present("torchrl.checkpoint")


def trained(seed: int) -> tuple[nn.Module, torch.optim.Optimizer]:
    """A network and the optimizer that has trained it a little."""
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01 * (seed + 1))
    for _ in range(2):
        optimizer.zero_grad()
        net(torch.randn(5, 3)).sum().backward()
        optimizer.step()
    return net, optimizer


def loss(seed: int) -> nn.Module:
    """A loss that has targets and a temperature, with parameters of its own."""
    made = build("SACLoss")
    made(batch(made))
    for number, value in enumerate(made.parameters()):
        value.data.add_(seed * 0.1 + number * 0.01)
    return made


def schedule(seed: int) -> Any:
    """A learning-rate schedule after some steps."""
    _, optimizer = trained(seed)
    made = torch.optim.lr_scheduler.StepLR(optimizer, 2)
    for _ in range(seed + 2):
        made.step()
    return made


COMPONENTS: dict[str, Callable[[int], Any]] = {
    "module": lambda seed: trained(seed)[0],
    "optimizer": lambda seed: trained(seed)[1],
    "schedule": schedule,
    "loss": loss,
}


def equal(first: Any, second: Any) -> bool:
    """Whether two states are the same, tensors by value."""
    if isinstance(first, torch.Tensor):
        return isinstance(second, torch.Tensor) and first.dtype == second.dtype and torch.equal(first, second)
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(equal(value, second[key]) for key, value in first.items())
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(equal, first, second))
    return first == second


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", sampled(COMPONENTS, every=2))
def test_round_trip(name: str, form: str, tmp_path: Path) -> None:
    """A component has the saved state after loading, and what happens to either one later does not reach the other."""
    saved, loaded = COMPONENTS[name](0), COMPONENTS[name](1)
    state = copy.deepcopy(saved.state_dict())
    path = tmp_path / "checkpoint"
    MODULE.Checkpoint(format=form, part=saved).save(path)
    for value in saved.parameters() if isinstance(saved, nn.Module) else ():
        value.data.add_(1)
    result = MODULE.Checkpoint(format=form, part=loaded).load(path)
    assert result.loaded == {"part"}, f"loaded are {result.loaded}"
    assert equal(state, loaded.state_dict()), "the state that was loaded is not the one that was saved"
    for value in loaded.parameters() if isinstance(loaded, nn.Module) else ():
        value.data.add_(1)
    again = COMPONENTS[name](2)
    MODULE.Checkpoint(format=form, part=again).load(path)
    assert equal(state, again.state_dict()), "what was loaded is still part of the checkpoint, and changes it"


@pytest.mark.parametrize("form", FORMATS)
def test_values(form: str, tmp_path: Path) -> None:
    """Plain values come back as they were."""
    values = {"frames": 1000, "name": "a b", "rate": 0.1, "nested": {"list": [1, 2.5, None, True]}}
    path = tmp_path / "checkpoint"
    MODULE.Checkpoint(format=form, **values).save(path)
    result = MODULE.Checkpoint(format=form, **dict.fromkeys(values, 0)).load(path)
    assert result.values == values, f"{values} comes back as {result.values}"


@pytest.mark.needs("torchrl.checkpoint.GlobalRNGState")
def test_random_numbers(tmp_path: Path) -> None:
    """After loading, the random numbers are those that came after saving."""
    MODULE.Checkpoint(rng=MODULE.GlobalRNGState()).save(tmp_path / "checkpoint")
    wanted = torch.rand(3)
    torch.manual_seed(9)
    MODULE.Checkpoint(rng=MODULE.GlobalRNGState()).load(tmp_path / "checkpoint")
    assert torch.equal(torch.rand(3), wanted), "the random numbers are others"


@pytest.mark.parametrize("form", FORMATS)
def test_missing(form: str, tmp_path: Path) -> None:
    """A component that the checkpoint does not hold is an error, and one that nobody asked for is named."""
    net, optimizer = trained(0)
    path = tmp_path / "checkpoint"
    MODULE.Checkpoint(format=form, net=net).save(path)
    with pytest.raises(MODULE.CheckpointError):
        MODULE.Checkpoint(format=form, net=net, optimizer=optimizer).load(path)
    MODULE.Checkpoint(format=form, net=net, optimizer=optimizer).save(tmp_path / "both")
    assert MODULE.Checkpoint(format=form, net=net).load(tmp_path / "both").unrequested == {"optimizer"}


@pytest.mark.parametrize("form", FORMATS)
def test_a_failure_keeps_what_was_there(form: str, tmp_path: Path) -> None:
    """A component that cannot be saved leaves the earlier checkpoint whole."""

    class Failing:
        def state_dict(self) -> dict[str, Any]:
            raise RuntimeError("cannot be saved")

        def load_state_dict(self, state: Any) -> None:
            raise AssertionError("not to be called")

    net, _ = trained(0)
    path = tmp_path / "checkpoint"
    MODULE.Checkpoint(format=form, net=net).save(path)
    with pytest.raises((RuntimeError, MODULE.CheckpointError)):
        MODULE.Checkpoint(format=form, net=net, failing=Failing()).save(path)
    assert MODULE.Checkpoint.is_checkpoint(path), "no checkpoint is left"
    other, _ = trained(1)
    MODULE.Checkpoint(format=form, net=other).load(path)
    assert equal(net.state_dict(), other.state_dict()), "the earlier checkpoint is damaged"
    assert [file.name for file in tmp_path.iterdir()] == ["checkpoint"], "files of the failed one are left"


@pytest.mark.needs("torchrl.checkpoint.CheckpointRotation")
def test_rotation(tmp_path: Path) -> None:
    """A rotation keeps as many checkpoints as it says, the newest, and loads the last."""
    net, _ = trained(0)
    rotation = MODULE.CheckpointRotation(tmp_path / "all", keep_last=2)
    for step in range(4):
        nn.init.constant_(net[0].weight, step)
        rotation.save(MODULE.Checkpoint(net=net), step=step)
    assert len(rotation.checkpoints()) == 2, f"kept are {[path.name for path in rotation.checkpoints()]}"
    other, _ = trained(1)
    rotation.load_latest(MODULE.Checkpoint(net=other))
    assert bool((other[0].weight == 3).all()), "the one loaded is not the last"
