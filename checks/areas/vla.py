"""Vision, language, action: tokenizers, metadata and containers come back as they were; the policies write what they declare."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
import torch
from tensordict import TensorDict

from ..outcome import Unverified
from ..table import load
from ._public import classes, parameters, present

TABLE = load(__file__)
DATA = present("torchrl.data.vla")
MODULES = present("torchrl.modules.vla")
if DATA is None:
    raise Unverified("this torchrl has no torchrl.data.vla")

TOKENIZERS = {
    name: cls
    for name, cls in classes(torch.nn.Module, "torchrl.data.vla").items()
    if hasattr(cls, "encode") and not inspect.isabstract(cls) and name in TABLE["tokenizers"]
}


def tokenizer(name: str) -> Any:
    """A tokenizer by the recipe of the table, and the bounds of the actions that it takes."""
    arguments = {
        key: torch.tensor(value) if isinstance(value, list) else value
        for key, value in TABLE["tokenizers"][name].items()
    }
    return TOKENIZERS[name](**arguments)


def bounds(name: str) -> tuple[torch.Tensor, torch.Tensor]:
    """The lowest and the highest action of a tokenizer."""
    row = TABLE["tokenizers"][name]
    return tuple(torch.tensor(row.get(f"norm_{side}", row.get(side))) for side in ("low", "high"))


@pytest.mark.parametrize("name", TOKENIZERS)
def test_actions_come_back(name: str) -> None:
    """An action that is encoded and decoded is off by no more than a bin, in any batch; one out of bounds is cut off."""
    made = tokenizer(name)
    low, high = bounds(name)
    width = (high - low) / (TABLE["tokenizers"][name]["num_bins"] - 1)
    for batch in ((), (5,), (2, 3)):
        actions = torch.rand(*batch, len(low)) * (high - low) + low
        tokens = made.encode(actions)
        assert not tokens.is_floating_point(), f"tokens are of {tokens.dtype}"
        back = made.decode(tokens)
        assert back.shape == actions.shape, f"actions of shape {tuple(actions.shape)} come back as {tuple(back.shape)}"
        off = (back - actions).abs()
        assert bool((off <= width + 1e-4).all()), f"an action is off by {float(off.max()):.3g}, with bins of {width}"
    beyond = made.decode(made.encode(torch.stack([low - 1, high + 1])))
    inside = (beyond >= low - width - 1e-4) & (beyond <= high + width + 1e-4)
    assert bool(inside.all()), f"actions out of bounds come back as {beyond}"


@pytest.mark.parametrize("name", TOKENIZERS)
def test_tokens_come_back(name: str) -> None:
    """What has been through the tokens once is not changed by them again, and tokens are in the order of actions."""
    made = tokenizer(name)
    low, high = bounds(name)
    steps = torch.linspace(0, 1, 200).unsqueeze(-1) * (high - low) + low
    tokens = made.encode(steps)
    once = made.decode(tokens)
    again = made.decode(made.encode(once))
    assert torch.allclose(once, again, atol=1e-4), "an action that has been through the tokens is changed by them again"
    moves = tokens.diff(dim=0)
    assert bool((moves >= 0).all() or (moves <= 0).all()), "tokens are not in the order of actions"
    number = len(tokens[:, 0].unique())
    assert number in range(len(steps) // 8, TABLE["tokenizers"][name]["num_bins"] + 1), f"{number} tokens are used"


@pytest.mark.needs("torchrl.data.vla.RobotDatasetMetadata")
def test_metadata_comes_back() -> None:
    """The metadata of a dataset come back from JSON, and give a spec that holds the actions within the bounds."""
    made = DATA.RobotDatasetMetadata(
        "bridge",
        action_dim=3,
        action_names=("x", "y", "grip"),
        action_space="eef_delta",
        gripper_mode="binary",
        control_frequency_hz=5.0,
        action_mean=torch.tensor([0.0, 0.5, 1.0]),
        action_std=torch.ones(3),
        action_low=-torch.ones(3),
        action_high=torch.ones(3) * 2,
    )
    back = DATA.RobotDatasetMetadata.from_json(made.to_json())
    for field in ("dataset_id", "action_names", "action_space", "gripper_mode", "control_frequency_hz"):
        first, second = getattr(made, field), getattr(back, field)
        assert first == second, f"{field} {first!r} comes back as {second!r}"
    assert torch.equal(made.action_mean, back.action_mean) and torch.equal(made.action_high, back.action_high)
    spec = made.make_action_spec()
    assert spec.shape == (3,) and spec.is_in(spec.rand()), "the spec does not hold its own actions"


@pytest.mark.needs("torchrl.modules.vla.TinyVLA")
@pytest.mark.parametrize("head", ["continuous", "tokens"])
def test_policy(head: str) -> None:
    """The policy writes its declared keys, a chunk of actions for every observation, and its parameters get gradients."""
    made = MODULES.TinyVLA(action_dim=2, chunk_size=3, action_head=head, hidden_dim=8, vocab_size=16, text_dim=4)
    data = observation(made, 2)
    output = made(data)
    missing = [key for key in made.out_keys if key not in output.keys(True)]
    assert not missing, f"{missing} are declared and not written"
    chunk = next((output[key] for key in output.keys(True, True) if "chunk" in str(key)), None)
    if head == "continuous":
        assert chunk is not None and chunk.shape == (2, 3, 2), (
            f"the chunk is {chunk if chunk is None else tuple(chunk.shape)}"
        )
        chunk.sum().backward()
        without = [name for name, value in made.named_parameters() if value.grad is None]
        assert not without, f"{without} get no gradient"


def observation(policy: Any, batch: int) -> TensorDict:
    """What a policy reads: an image, a state, an instruction."""
    data = TensorDict(batch_size=[batch])
    for key in policy.in_keys:
        last = key[-1] if isinstance(key, tuple) else key
        if "image" in last:
            data.set(key, torch.randint(0, 255, (batch, 3, 16, 16), dtype=torch.uint8))
        elif "state" in last:
            data.set(key, torch.randn(batch, 4))
        else:
            data.set_non_tensor(key, "pick up the block")
    return data


def test_every_tokenizer_is_checked() -> None:
    """Tokenizers for which there is no recipe."""
    found = classes(torch.nn.Module, "torchrl.data.vla")
    others = [
        name
        for name, cls in found.items()
        if hasattr(cls, "encode") and name not in TOKENIZERS and not name.endswith("Base")
    ]
    if others:
        raise Unverified(
            f"nothing here builds {', '.join(others)}: they take {[list(parameters(found[name])) for name in others]}"
        )
