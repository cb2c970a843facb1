"""Distributions: samples, modes, densities and shapes agree with each other, in every variant of every public class."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import distributions as D

from ..outcome import Unverified
from ..table import load
from ._public import classes, parameters, sampled

TABLE = load(__file__)
CLASSES = classes(D.Distribution, "torchrl.modules.distributions", "torchrl.modules")
BATCHES = ((), (2,), (2, 3))
CATEGORIES = 6
SAMPLES = 6
ALLOWED = {
    "mask": torch.tensor([False, True, True, False, True, False]),
    "indices": torch.tensor([False, True, False, True, True, False]),
}


def cases() -> list[str]:
    """Every class in each of the variants that its parameters admit."""
    return [
        f"{name}-{variant}"
        for name, cls in CLASSES.items()
        for variant, row in TABLE["variants"].items()
        if {*row["tensors"], *row.get("arguments", {})} <= set(parameters(cls)) and name not in row.get("without", ())
    ]


def build(
    case: str,
    batch: tuple[int, ...] = (2,),
    *,
    dtype: torch.dtype = torch.float32,
    moved: list[torch.Tensor] | None = None,
) -> D.Distribution:
    """The distribution of a case with parameters of a batch shape, equal in the rows that two batches have in common.

    Parameters that can be moved get a gradient and are added to ``moved``, if that is given.
    """
    name, row = split(case)
    event = tuple(row.get("event", (3,)))
    tensors = {one: tensor(one, batch, event) for one in row["tensors"]}
    for one, value in tensors.items():
        if value.is_floating_point():
            tensors[one] = (value * row.get("times", {}).get(one, 1)).to(dtype)
    if moved is not None:
        moved += [value.requires_grad_() for value in tensors.values() if value.is_floating_point()]
    shapes = {"batch": batch, "event": event}
    arguments = {
        key: torch.tensor(value, dtype=dtype).expand(*batch, *event) if isinstance(value, list) else value
        for key, value in row.get("arguments", {}).items()
    }
    return CLASSES[name](**tensors, **{key: shapes.get(str(value), value) for key, value in arguments.items()})


def split(case: str) -> tuple[str, dict[str, Any]]:
    """The class's name and the variant's row of a case."""
    name, _, variant = case.partition("-")
    return name, TABLE["variants"][variant]


def kind(case: str) -> str:
    """Where the mass of a case's distribution lies: on ``categories``, on one ``point``, or in a ``density``."""
    tensors = split(case)[1]["tensors"]
    return "point" if "param" in tensors else "density" if "loc" in tensors else "categories"


def masks(case: str) -> set[str]:
    """The parameters of a case that forbid categories."""
    return set(split(case)[1]["tensors"]) & set(ALLOWED)


def tensor(name: str, batch: tuple[int, ...], event: tuple[int, ...]) -> torch.Tensor:
    """A tensor for one of the parameters that distributions are made of; ``event`` is that of continuous ones."""
    draw = torch.Generator().manual_seed(2)
    rows: dict[str, Callable[[], torch.Tensor]] = {
        "loc": lambda: torch.randn(event, generator=draw) * 0.7,
        "param": lambda: torch.randn(event, generator=draw) * 0.7,
        "scale": lambda: torch.rand(event, generator=draw) * 0.5 + 0.3,
        "logits": lambda: torch.randn(CATEGORIES, generator=draw),
        "scores": lambda: torch.randn(CATEGORIES, generator=draw),
        "probs": lambda: torch.randn(CATEGORIES, generator=draw).softmax(-1),
        "mask": lambda: ALLOWED["mask"],
        "indices": lambda: ALLOWED["indices"].nonzero()[:, 0],
    }
    values = [rows[name]() for _ in range(torch.Size(batch).numel())]
    return torch.stack(values).reshape((*batch, *values[0].shape))


def has(value: D.Distribution, name: str) -> Any:
    """What a distribution answers to one question, unverified where it declares that it has no answer."""
    try:
        answer = getattr(value, name)
        return answer() if callable(answer) else answer
    except (NotImplementedError, AttributeError) as error:
        raise Unverified(f"{type(value).__name__} has no {name}: {error}") from None
    except RuntimeError as error:
        if "analytical" not in str(error):
            raise
        raise Unverified(f"{type(value).__name__} has no {name}: {error}") from None


@pytest.mark.parametrize("case", sampled(cases(), every=9))
def test_quiet(case: str) -> None:
    """Sampling, scoring and asking for the mode or the entropy warns of nothing."""
    dist = build(case)
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        dist.log_prob(dist.sample())
        for name in ("mode", "deterministic_sample", "entropy"):
            with contextlib.suppress(Unverified):
                has(dist, name)
    shown = {str(one.message) for one in raised}
    assert not raised, f"it warns: {shown}"


@pytest.mark.parametrize("case", sampled(cases(), every=8, keep=["IndependentNormal-plain", "Delta-matrix-shapes"]))
def test_shapes(case: str) -> None:
    """A sample has the batch's and the event's shape, and its log-probability the batch's."""
    event = build(case).sample().shape[1:]
    for batch in batches(case):
        dist = build(case, batch)
        assert dist.batch_shape == batch, f"the batch shape of parameters of batch {batch} is {tuple(dist.batch_shape)}"
        fitting(dist, (), event)


@pytest.mark.parametrize("case", sampled(cases(), every=10))
def test_sample_shape(case: str) -> None:
    """Many samples have the sample shape before the batch's, and so have their log-probabilities."""
    event = build(case).sample().shape[1:]
    for batch in batches(case):
        for size in ((4,), (4, 5)):
            fitting(build(case, batch), size, event)


def fitting(dist: D.Distribution, size: tuple[int, ...], event: torch.Size) -> None:
    """Samples of a sample shape and their log-probabilities have the shapes that they should have."""
    sample = dist.sample(torch.Size(size))
    wanted = (*size, *dist.batch_shape, *event)
    assert sample.shape == wanted, f"sample({size}) has shape {tuple(sample.shape)}, not {wanted}"
    shape = dist.log_prob(sample).shape
    assert shape == (*size, *dist.batch_shape), f"log_prob of a sample of shape {wanted} has shape {tuple(shape)}"


def batches(case: str) -> list[tuple[int, ...]]:
    """The batch shapes for which a class is made."""
    return [batch for batch in BATCHES if len(batch) >= TABLE["least"].get(split(case)[0], 0)]


@pytest.mark.parametrize("case", sampled(cases(), every=6))
def test_event_shape(case: str) -> None:
    """The event shape that a distribution declares is the shape of one event."""
    dist = build(case)
    shape = dist.sample().shape[1:]
    assert shape == dist.event_shape, f"an event has shape {tuple(shape)}, declared is {tuple(dist.event_shape)}"


@pytest.mark.parametrize("case", sampled(cases(), every=9))
def test_samples(case: str) -> None:
    """Samples lie in the support, within the bounds and the mask, and are of finite log-probability."""
    dist = build(case)
    for sample in dist.sample(torch.Size([SAMPLES])):
        within(dist, case, sample, "a sample")


@pytest.mark.parametrize("case", sampled(cases(), every=10, keep=["MaskedCategorical-indices"]))
def test_mode(case: str) -> None:
    """The mode is one event, in the support, and no sample is likelier."""
    dist = build(case)
    mode = has(dist, "mode")
    within(dist, case, mode, "the mode")
    likeliest = dist.log_prob(mode)
    for sample in dist.sample(torch.Size([SAMPLES])):
        assert bool((dist.log_prob(sample) <= likeliest + 1e-4).all()), "a sample is likelier than the mode"


@pytest.mark.parametrize("case", sampled(cases(), every=8))
def test_deterministic_sample(case: str) -> None:
    """What stands for the distribution where nothing is to be random is one event in the support."""
    dist = build(case)
    within(dist, case, has(dist, "deterministic_sample"), "the deterministic sample")


@pytest.mark.parametrize("case", sampled([case for case in cases() if kind(case) == "categories"], every=4))
def test_probabilities(case: str) -> None:
    """Probabilities of all categories sum to one, those of masked ones are zero, and entropy is what follows from them."""
    dist = build(case)
    every = torch.arange(CATEGORIES).unsqueeze(-1).expand(CATEGORIES, *dist.batch_shape)
    values = torch.nn.functional.one_hot(every, CATEGORIES) if one_hot(dist) else every
    logs = torch.stack([dist.log_prob(value) for value in values])
    mass = logs.exp()
    assert torch.allclose(mass.sum(0), torch.ones(2)), f"the probabilities of all categories sum to {mass.sum(0)}"
    for mask in masks(case):
        assert not mass[~ALLOWED[mask]].any(), "a masked category has a probability"
    entropy, wanted = has(dist, "entropy"), -(mass * logs.nan_to_num(neginf=0)).sum(0)
    assert torch.allclose(entropy, wanted, atol=1e-4), f"the entropy is {entropy}, that of its probabilities {wanted}"


@pytest.mark.parametrize("case", sampled([case for case in cases() if kind(case) == "density"], every=4))
def test_entropy(case: str) -> None:
    """The entropy is what the log-probabilities of samples come to."""
    dist = build(case)
    entropy, wanted = has(dist, "entropy"), -dist.log_prob(dist.sample(torch.Size([4000]))).mean(0)
    assert entropy.shape == dist.batch_shape, f"the shape of the entropy is {tuple(entropy.shape)}"
    assert torch.allclose(entropy, wanted, atol=0.1), f"the entropy is {entropy}, that of its samples {wanted}"


@pytest.mark.parametrize("case", sampled(cases(), every=9))
def test_gradients(case: str) -> None:
    """Log-probabilities, and samples where they can be differentiated, have finite gradients."""
    moved: list[torch.Tensor] = []
    dist = build(case, moved=moved)
    with torch.no_grad():
        sample = dist.sample()
    log = dist.log_prob(sample)
    if kind(case) != "point":
        finite(torch.autograd.grad(log.sum(), moved, retain_graph=True, allow_unused=True), "log_prob")
    if dist.has_rsample:
        finite(torch.autograd.grad(dist.rsample().sum(), moved, allow_unused=True), "rsample")


def finite(gradients: tuple[torch.Tensor | None, ...], what: str) -> None:
    """There are gradients, and none of them is infinite."""
    there = [one for one in gradients if one is not None]
    assert there, f"{what} has no gradient"
    assert all(bool(one.isfinite().all()) for one in there), f"the gradient of {what} is {there}"


@pytest.mark.parametrize("case", sampled(cases(), every=11))
def test_rows(case: str) -> None:
    """A batch of one gives what the first row of a batch of two gives."""
    one, two = build(case, (1,)), build(case, (2,))
    sample = one.sample()
    both = torch.cat([sample, two.sample()[1:]])
    first, row = one.log_prob(sample), two.log_prob(both)[:1]
    assert torch.allclose(first, row), f"log_prob is {first} alone and {row} in a batch of two"


@pytest.mark.parametrize(
    "case", sampled([case for case in cases() if kind(case) == "density"], every=4, keep=["TanhNormal-far"])
)
def test_precision(case: str) -> None:
    """The log-probability that goes with a sample is the same in single as in double precision, at the bounds, too."""
    single, double = (scored(build(case, dtype=dtype)) for dtype in (torch.float32, torch.float64))
    assert bool(single.isfinite().all()), f"in single precision it is {single}"
    close = torch.allclose(single.double(), double, rtol=0.05, atol=0.2)
    assert close, f"it is {single} in single precision and {double} in double precision"


def scored(dist: D.Distribution) -> torch.Tensor:
    """The mean log-probability of samples, as the distribution gives it with them if it does."""
    size = torch.Size([3000])
    if hasattr(dist, "sample_and_log_prob"):
        return dist.sample_and_log_prob(size)[1].mean(0)
    return dist.log_prob(dist.sample(size)).mean(0)


def one_hot(dist: D.Distribution) -> bool:
    """Whether the events of a distribution over categories are vectors of zeros and a one."""
    return dist.sample().ndim > len(dist.batch_shape)


def within(dist: D.Distribution, case: str, value: torch.Tensor, what: str) -> None:
    """A value is a possible event of the distribution, and has a log-probability."""
    _, row = split(case)
    shape = dist.sample().shape
    assert value.shape[value.ndim - len(shape) :] == shape, f"{what} has shape {tuple(value.shape)}, not {tuple(shape)}"
    assert bool(value.isfinite().all()), f"{what} is {value}"
    for mask in masks(case):
        index = value.argmax(-1) if one_hot(dist) else value
        assert bool(ALLOWED[mask][index].all()), f"{what} is {index}, which is masked"
    arguments = row.get("arguments", {})
    if "low" in arguments:
        low, high = torch.as_tensor(arguments["low"]), torch.as_tensor(arguments["high"])
        assert bool(((value >= low) & (value <= high)).all()), f"{what} is {value}, which is out of bounds"
    log = dist.log_prob(value)
    assert not bool((log.isnan() | (log == -torch.inf)).any()), f"the log-probability of {what} is {log}"
