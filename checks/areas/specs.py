"""Specs: what a spec draws lies in it, and survives encoding, numpy, masks, copies and every change of shape."""

from __future__ import annotations

import copy
import math
import pickle
import warnings
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from tensordict import TensorDictBase, is_tensor_collection
from torchrl.data.tensor_specs import (
    Binary,
    Bounded,
    Categorical,
    Choice,
    Composite,
    MultiCategorical,
    MultiOneHot,
    NonTensor,
    OneHot,
    TensorSpec,
    Unbounded,
)

from ..table import load
from ._public import sampled
from ._values import same

TABLE = load(__file__)


class Example(NamedTuple):
    """How to build one spec of a class.

    Args:
        make: the spec with these batch dimensions.
        event: how many dimensions of its shape come after those.
    """

    make: Callable[[tuple[int, ...]], TensorSpec]
    event: int


def composite(batch: tuple[int, ...]) -> Composite:
    """Leaves of many kinds, one nested."""
    leaves = {name: EXAMPLES[name].make(batch) for name in LEAVES}
    return Composite(nested=Composite(inner=Bounded(-1, 1, (*batch, 2)), shape=batch), **leaves, shape=batch)


EXAMPLES = {
    "Binary": Example(lambda batch: Binary(3, shape=(*batch, 3)), 1),
    "Binary-scalar": Example(lambda batch: Binary(shape=batch), 0),
    "Bounded": Example(lambda batch: Bounded(-1.0, 2.0, (*batch, 3)), 1),
    "Bounded-integer": Example(lambda batch: Bounded(-2, 3, (*batch, 3), dtype=torch.int32), 1),
    "Bounded-half": Example(lambda batch: Bounded(-math.inf, 2.0, (*batch, 3)), 1),
    "Categorical": Example(lambda batch: Categorical(4, shape=batch), 0),
    "Choice": Example(lambda batch: Choice([Bounded(0, 1, (*batch, 2)), Bounded(3, 4, (*batch, 2))]), 1),
    "Composite": Example(composite, 0),
    "MultiCategorical": Example(lambda batch: MultiCategorical([2, 3], shape=(*batch, 2)), 1),
    "MultiOneHot": Example(lambda batch: MultiOneHot([2, 3], shape=(*batch, 5)), 1),
    "NonTensor": Example(lambda batch: NonTensor(shape=batch, example_data="a text"), 0),
    "OneHot": Example(lambda batch: OneHot(4, shape=(*batch, 4)), 1),
    "Stacked": Example(lambda batch: torch.stack([Unbounded((*batch, 2)), Unbounded((*batch, 3))]), 1),
    "StackedComposite": Example(
        lambda batch: torch.stack([Composite(x=Unbounded((*batch, size)), shape=batch) for size in (2, 3)]), 0
    ),
    "Unbounded": Example(lambda batch: Unbounded((*batch, 3)), 1),
    "Unbounded-byte": Example(lambda batch: Unbounded((*batch, 3), dtype=torch.uint8), 1),
}
UNDRAWN = "Bounded-half"  # what it draws has a law of its own
RAGGED = ("Stacked", "StackedComposite")  # their values are nested tensors, and lazy stacks
LEAVES = ("Binary", "Bounded", "Bounded-integer", "Categorical", "NonTensor", "OneHot", "Unbounded", "Unbounded-byte")
OF_SPECS = ("Choice", "Composite", "Stacked", "StackedComposite")
ONE_OF_N = ("Categorical", "OneHot")
MASKED = (*ONE_OF_N, "MultiCategorical", "MultiOneHot")
COUNTED = (*MASKED, "Binary-scalar")
BATCHES = {"no": (), "1": (1,), "3": (3,), "2x1": (2, 1), "1x3": (1, 3), "2x1x3": (2, 1, 3)}
SAMPLED = ("2x1",)

batches = pytest.mark.parametrize("batch", sampled(BATCHES, every=0, keep=SAMPLED))
batched = pytest.mark.parametrize("batch", sampled((name for name in BATCHES if BATCHES[name]), every=0, keep=SAMPLED))


def every(*, but: Iterable[str] = (UNDRAWN,)) -> Any:
    """The mark of a law for every example, but some that it is not for."""
    return pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in but])


def built(name: str, batch: str) -> tuple[TensorSpec, tuple[int, ...]]:
    """A spec and its batch dimensions."""
    spec = EXAMPLES[name].make(BATCHES[batch])
    return spec, tuple(spec.shape[: len(spec.shape) - EXAMPLES[name].event])


def outside(value: Any) -> Any:
    """A value like this one which no bounded spec holds."""
    if is_tensor_collection(value):
        return value.apply(outside) if isinstance(value, TensorDictBase) else value
    return torch.ones_like(value) if value.dtype is torch.bool else torch.full_like(value, 100)


@every(but=())
@batches
def test_rand(name: str, batch: str) -> None:
    """What a spec draws lies in it, with its shape, dtype and device; so do several of them."""
    spec, _ = built(name, batch)
    value = spec.rand()
    assert spec.is_in(value)
    spec.assert_is_in(value)
    if -1 not in spec.shape:
        assert value.shape == spec.shape
        more = spec.rand((2,))
        assert more.shape == (2, *spec.shape)
        assert spec.expand(2, *spec.shape).is_in(more)


@every()
@batches
def test_zero(name: str, batch: str) -> None:
    """Zeros and ones have the shape and the dtype of what the spec draws."""
    spec, _ = built(name, batch)
    drawn = spec.rand()
    for value in (spec.zero(), spec.one()):
        assert same(value * 0, drawn * 0) if torch.is_tensor(drawn) else value.shape == drawn.shape


@every(but=(UNDRAWN, "Choice", *RAGGED))
@batches
def test_project(name: str, batch: str) -> None:
    """Projecting leaves alone what lies in the spec and brings back what does not."""
    spec, _ = built(name, batch)
    value = spec.rand()
    assert same(spec.project(value.clone()), value)
    brought = spec.project(outside(value))
    assert spec.is_in(brought)


@every(but=(UNDRAWN, "Choice", *RAGGED))
@batches
def test_encode(name: str, batch: str) -> None:
    """Encoding is the inverse of `to_numpy`, and leaves alone what is encoded."""
    spec, _ = built(name, batch)
    value = spec.rand()
    assert same(spec.encode(spec.to_numpy(value)), value)
    if name not in ("OneHot", "MultiOneHot", "Composite"):  # a tensor is taken for numbers of choices
        assert same(spec.encode(value), value)


@every(but=(UNDRAWN, "Choice", *RAGGED))
@batches
def test_memory_of_encode(name: str, batch: str) -> None:
    """Encoding with the memory of earlier calls does what it does without."""
    spec, _ = built(name, batch)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "memoized encoding")
        spec.memoize_encode()
    for _ in range(2):
        value = spec.rand()
        assert same(spec.encode(spec.to_numpy(value)), value)


@every(but=(UNDRAWN, *OF_SPECS, "NonTensor", "Binary-scalar"))
@batched
def test_to_numpy(name: str, batch: str) -> None:
    """The numpy form of a batch is that of its rows."""
    spec, shape = built(name, batch)
    value = spec.rand()
    numbers = spec.to_numpy(value)
    assert isinstance(numbers, np.ndarray)
    rows = [spec[row].to_numpy(value[row]) for row in range(shape[0])]
    np.testing.assert_array_equal(numbers, np.stack(rows))


@every()
@batches
def test_copy(name: str, batch: str) -> None:
    """A copy, by whatever way, is equal and another object, and draws what the original holds."""
    spec, _ = built(name, batch)
    copies = [spec.clone(), copy.deepcopy(spec), pickle.loads(pickle.dumps(spec)), EXAMPLES[name].make(BATCHES[batch])]
    for one in copies:
        assert type(one) is type(spec)
        assert one == spec
        assert one is not spec
        assert spec.is_in(one.rand())
    if name not in ("Composite", "StackedComposite"):  # they may be on no device
        assert spec.to("cpu") == spec


@pytest.mark.parametrize("name", MASKED)
@batches
def test_copy_of_a_mask(name: str, batch: str) -> None:
    """A copy keeps the mask, and changing the mask of one leaves the other alone."""
    spec, _ = built(name, batch)
    mask = masks(name, spec)
    spec.update_mask(mask.clone())
    copied = spec.clone()
    assert torch.equal(copied.mask, mask.expand(copied.mask.shape))
    assert torch.equal(copy.deepcopy(spec).mask, copied.mask)
    copied.update_mask(torch.ones_like(mask))
    assert torch.equal(spec.mask, mask.expand(spec.mask.shape))


def masks(name: str, spec: Any) -> torch.Tensor:
    """A mask that forbids one choice of each."""
    sizes = [4] if name in ONE_OF_N else [2, 3]
    mask = torch.cat([torch.arange(size) != 1 for size in sizes])
    shape = spec.shape if name == "Categorical" else spec.shape[:-1]
    return mask.expand(*shape, mask.shape[-1])


def forbidden(name: str, spec: Any, value: torch.Tensor) -> torch.Tensor:
    """Where a value has taken the choice that `masks` forbids."""
    return (value if name in ("Categorical", "MultiCategorical") else spec.to_categorical(value)) == 1


@pytest.mark.parametrize("name", MASKED)
@batches
def test_mask(name: str, batch: str) -> None:
    """A masked spec draws nothing that is forbidden, and projects to what is not."""
    spec, _ = built(name, batch)
    spec.update_mask(masks(name, spec))
    for _ in range(10):
        value = spec.rand()
        assert not forbidden(name, spec, value).any()
        assert spec.is_in(value)
    free = EXAMPLES[name].make(BATCHES[batch])
    drawn = torch.stack([free.rand() for _ in range(40)])
    bad = next((one for one in drawn if forbidden(name, spec, one).any()), None)
    assert bad is not None
    assert not spec.is_in(bad)
    assert spec.is_in(spec.project(bad))


@pytest.mark.parametrize("name", ONE_OF_N)
@pytest.mark.parametrize("form", ["flat", "2x2", "1x4", "4x1"])
def test_form_of_a_mask(name: str, form: str) -> None:
    """A mask of as many elements as there are choices is taken in whatever form a board has."""
    spec = EXAMPLES[name].make(())
    mask = torch.arange(4) == 2
    spec.update_mask(mask if form == "flat" else mask.view(*map(int, form.split("x"))))
    assert int(spec.to_categorical(spec.rand())) == 2


@every(but=(UNDRAWN, *OF_SPECS))
@batches
def test_unsqueeze(name: str, batch: str) -> None:
    """Unsqueezing and squeezing a spec gives it back, and what it draws follows."""
    spec, _ = built(name, batch)
    longer = spec.unsqueeze(0)
    assert longer.shape == (1, *spec.shape)
    assert longer.is_in(spec.rand().unsqueeze(0))
    assert longer.squeeze(0) == spec


@every(but=(UNDRAWN, "Choice", *RAGGED))
@batches
def test_expand(name: str, batch: str) -> None:
    """Expanding a spec and expanding what it draws is the same."""
    spec, _ = built(name, batch)
    wider = spec.expand(2, *spec.shape)
    assert wider.shape == (2, *spec.shape)
    assert wider.is_in(wider.rand())
    assert wider.is_in(spec.rand().expand(2, *spec.shape))
    if name != "Binary-scalar":  # its last dimension cannot be indexed
        assert wider[0] == spec


@every(but=(UNDRAWN, "Choice", *RAGGED))
@batched
def test_reshape(name: str, batch: str) -> None:
    """Flattening the batch dimensions of a spec and unflattening them gives it back."""
    spec, shape = built(name, batch)
    event = spec.shape[len(shape) :]
    flat = spec.reshape(math.prod(shape), *event)
    assert flat.shape == (math.prod(shape), *event)
    assert flat.is_in(flat.rand())
    assert flat.is_in(spec.rand().reshape(math.prod(shape), *event))
    assert flat.reshape(spec.shape) == spec
    assert flat.unflatten(0, shape) == spec
    if len(shape) > 1:
        assert spec.flatten(0, len(shape) - 1) == flat


@every(but=(UNDRAWN, "Choice", "Binary-scalar"))
@batched
def test_index(name: str, batch: str) -> None:
    """An indexed spec holds what the same index takes from its values."""
    spec, shape = built(name, batch)
    value = spec.rand()
    indices: list[Any] = [0, -1] if name == "Stacked" else [0, -1, slice(0, 1), slice(None)]
    for index in indices:
        row = spec[index]
        assert row.is_in(value[index])
        assert row.is_in(row.rand())


@every(but=(UNDRAWN, "Choice", "Binary-scalar"))
@batched
def test_unbind(name: str, batch: str) -> None:
    """The parts of a spec along its first dimension are its rows, and stacked they are the spec."""
    spec, shape = built(name, batch)
    parts = spec.unbind(0)
    assert len(parts) == shape[0]
    assert all(part == spec[row] for row, part in enumerate(parts))
    assert torch.stack(list(parts), 0) == spec


@pytest.mark.parametrize("name", COUNTED)
@batches
def test_enumerate(name: str, batch: str) -> None:
    """The values of a finite spec are as many as it says, all different, and all lie in it."""
    spec, _ = built(name, batch)
    values = spec.enumerate()
    assert len(values) == spec.cardinality()
    assert len(torch.unique(values, dim=0)) == len(values)
    assert all(spec.is_in(value) for value in values)


@pytest.mark.parametrize("name", ["Categorical", "OneHot", "MultiCategorical", "MultiOneHot"])
@batches
def test_one_hot(name: str, batch: str) -> None:
    """The two encodings of a choice, and the specs of them, are inverse to each other."""
    spec, _ = built(name, batch)
    hot, plain = spec.to_one_hot_spec(), spec.to_categorical_spec()
    value = spec.rand()
    one, number = spec.to_one_hot(value), spec.to_categorical(value)
    assert hot.is_in(one)
    assert plain.is_in(number)
    assert same(hot.to_categorical(one), number)
    assert same(plain.to_one_hot(number), one)
    assert plain.to_one_hot_spec() == hot
    assert hot.to_categorical_spec() == plain


@every(but=(UNDRAWN, "Choice", "NonTensor"))
@batches
def test_to_dtype(name: str, batch: str) -> None:
    """A spec that is moved to another dtype is another one, draws that dtype, and leaves the original alone."""
    spec, _ = built(name, batch)
    before = spec.clone()
    moved = spec.to(torch.float64)
    assert moved.is_in(moved.rand())
    assert spec == before
    if not is_tensor_collection(spec.rand()):
        assert moved.rand().dtype is torch.float64
    if name not in OF_SPECS:
        assert moved != spec


@every(but=(UNDRAWN, *OF_SPECS))
@pytest.mark.parametrize("batch", sampled(["-1", "-1x1", "-1x2"], every=3))
def test_dynamic(name: str, batch: str) -> None:
    """A dimension of unknown size holds any size, and a full slice keeps it."""
    _, *rest = map(int, batch.split("x"))
    spec = EXAMPLES[name].make((-1, *rest))
    for size in (1, 4):
        value = EXAMPLES[name].make((size, *rest)).rand()
        assert spec.is_in(value)
    if name != "Binary-scalar":
        assert spec[:].shape == spec.shape
    assert spec.clone() == spec
    assert spec.unsqueeze(0).shape == (1, *spec.shape)
    assert spec.zero().shape == (1, *spec.shape[1:])


def test_composite_names() -> None:
    """A composite behaves as the mapping that it is: keys, nested too, are set, read, updated and deleted."""
    spec = composite((2,))
    keys = list(spec.keys(True, True))
    assert ("nested", "inner") in keys
    assert [spec[key] for key in keys] == list(spec.values(True, True))
    spec["nested", "new"] = Unbounded((2, 1))
    assert spec["nested", "new"] == Unbounded((2, 1))
    del spec["nested", "new"]
    assert list(spec.keys(True, True)) == keys
    other = spec.clone()
    other.update({"nested": {"inner": Unbounded((2, 2))}})
    assert other["nested", "inner"] == Unbounded((2, 2))
    assert spec["nested", "inner"] == Bounded(-1, 1, (2, 2))
    with pytest.raises((ValueError, RuntimeError)):
        spec["wrong"] = Unbounded((3,))


def test_composite_lock() -> None:
    """A locked composite, and everything in it, takes nothing new until it is unlocked."""
    spec = composite(()).lock_()
    for one in (spec, spec["nested"]):
        with pytest.raises(RuntimeError):
            one["new"] = Unbounded()
    spec.unlock_()
    spec["nested", "new"] = Unbounded()


def test_composite_lock_of_deletion() -> None:
    """A locked composite keeps what it has."""
    spec = composite(()).lock_()
    with pytest.raises(RuntimeError):
        del spec["nested"]


@pytest.mark.parametrize("name", ["Bounded", "Categorical", "Composite"])
def test_stack_of_different_kinds(name: str) -> None:
    """Specs that cannot become one are stacked as they are, and each row keeps its own spec."""
    first, second = EXAMPLES[name].make((2,)), EXAMPLES[name].make((3,))
    if name == "Composite":
        first, second = Composite(x=Unbounded(2)), Composite(x=Bounded(0, 1, (3,)))
    stacked = torch.stack([first, second])
    assert stacked[0] == first
    assert stacked[1] == second
    assert stacked.is_in(stacked.rand())
    assert stacked.clone() == stacked


def test_rejects_what_is_not_a_spec() -> None:
    """A function of torch that a spec does not know is a TypeError, not an answer."""
    with pytest.raises(TypeError):
        torch.sin(Unbounded(3))
