"""The specs area: its examples are of every class there is, and its law sees a spec that was broken."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import torchrl.data
from torchrl.data.tensor_specs import TensorSpec
from torchrl_preflight.checks.areas import specs

from .conftest import Outcome


def test_every_public_class_has_an_example() -> None:
    public = [
        value for value in vars(torchrl.data).values() if inspect.isclass(value) and issubclass(value, TensorSpec)
    ]
    sampled = {type(example.make((2,))) for example in specs.EXAMPLES.values()}
    # a class that makes others of itself, by what it is given, is sampled by those
    assert [
        cls.__name__ for cls in public if not any(issubclass(one, cls) for one in sampled) and cls is not TensorSpec
    ] == []


def test_broken_specs_are_found(copied: Path, smoke: Callable[..., Outcome]) -> None:
    """One copy in which drawing ignores the mask, one encoding its shape, and indexing the batch."""
    code = copied / "data" / "tensor_specs.py"
    text = code.read_text()
    for old, new in (
        ("out = TensorDict._new_unsafe({}, self.shape)", "out = TensorDict._new_unsafe({}, _size([]))"),
        ("torch.multinomial(mask_flat.float(), 1)", "torch.multinomial(torch.ones_like(mask_flat).float(), 1)"),
    ):
        assert old in text
        text = text.replace(old, new)
    code.write_text(text)
    done = smoke("--area", "specs", "--format", "json")
    failed = {name for name, check in done.checks.items() if check["status"] == "failed"}
    assert "specs/encode/2x1/Composite" in failed
    assert {"specs/mask/2x1/Categorical", "specs/mask/2x1/OneHot"} & failed
    assert {name.split("/")[1] for name in failed} <= {"encode", "mask", "form_of_a_mask", "memory_of_encode"}
