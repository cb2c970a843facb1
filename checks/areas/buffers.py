"""Replay buffers: what is written is what is sampled, and survives every way to save it, in every combination of parts."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from tensordict import NonTensorStack, TensorDict, TensorDictBase
from torchrl.data import ReplayBuffer, TensorDictReplayBuffer

from ..installed import install, version
from ..needs import unmet
from ..outcome import Unverified
from ..table import load
from ._public import present, sampled
from ._values import differing

TABLE = load(__file__)
SIZE = 16  # capacity of a buffer
LENGTH = 4  # steps of one trajectory
PLACES = tuple(
    f"torchrl.data.replay_buffers{part}" for part in ("", ".samplers", ".storages", ".writers", ".checkpointers")
)


def of(name: str) -> Any:
    """A class of the parts of buffers, wherever this torchrl has it."""
    found = next((getattr(module, name) for module in map(present, PLACES) if hasattr(module, name)), None)
    if found is None:
        raise Unverified(f"torchrl {version('torchrl')} has no {name}")
    return found


class Part(NamedTuple):
    """How to build a part of a buffer, and the need without which it cannot be."""

    make: Callable[[], Any]
    needs: str = ""


STORAGES = {
    "ListStorage": Part(lambda: of("ListStorage")(SIZE)),
    "LazyStackStorage": Part(lambda: of("LazyStackStorage")(SIZE)),
    "CompressedListStorage": Part(lambda: of("CompressedListStorage")(SIZE)),
    "LazyTensorStorage": Part(lambda: of("LazyTensorStorage")(SIZE)),
    "LazyMemmapStorage": Part(lambda: of("LazyMemmapStorage")(SIZE)),
    "TensorStorage": Part(lambda: of("TensorStorage")(plain(0, SIZE).zero_())),
}
SAMPLERS = {
    "RandomSampler": Part(lambda: of("RandomSampler")()),
    "SamplerWithoutReplacement": Part(lambda: of("SamplerWithoutReplacement")()),
    "SliceSampler": Part(lambda: of("SliceSampler")(num_slices=2, end_key=END, strict_length=False)),
    "SliceSamplerWithoutReplacement": Part(
        lambda: of("SliceSamplerWithoutReplacement")(num_slices=2, end_key=END, strict_length=False)
    ),
    "StreamingSliceSampler": Part(lambda: of("StreamingSliceSampler")(slice_len=2, end_key=END)),
    "ConsumingSampler": Part(lambda: of("ConsumingSampler")()),
    "StalenessAwareSampler": Part(lambda: of("StalenessAwareSampler")()),
    "PromptGroupSampler": Part(lambda: of("PromptGroupSampler")(num_groups=2, group_key="group")),
    "PrioritizedSampler": Part(lambda: of("PrioritizedSampler")(SIZE, 0.7, 0.9), "ext"),
    "PrioritizedSliceSampler": Part(
        lambda: of("PrioritizedSliceSampler")(SIZE, 0.7, 0.9, num_slices=2, end_key=END, strict_length=False), "ext"
    ),
}
WRITERS = {
    "RoundRobinWriter": Part(lambda: of("RoundRobinWriter")()),
    "TensorDictRoundRobinWriter": Part(lambda: of("TensorDictRoundRobinWriter")()),
    "TensorDictMaxValueWriter": Part(lambda: of("TensorDictMaxValueWriter")(rank_key="number")),
}
IN_PLACE = ("LazyTensorStorage", "LazyMemmapStorage", "LazyStackStorage")
BUFFERS = ("ReplayBuffer", "TensorDictReplayBuffer")
END = ("next", "done")
PLAIN = {"storage": "LazyTensorStorage", "sampler": "RandomSampler", "writer": "TensorDictRoundRobinWriter"}


def written(first: int, count: int) -> TensorDictBase:
    """Steps of trajectories, every entry of which is told by its number."""
    number = torch.arange(first, first + count)
    last = (number % LENGTH == LENGTH - 1).unsqueeze(-1)
    return TensorDict(
        {
            "number": number,
            "observation": number.unsqueeze(-1).expand(count, 3).float().clone(),
            "nested": {"byte": (number % 256).to(torch.uint8).unsqueeze(-1)},
            "next": {
                "observation": number.unsqueeze(-1).expand(count, 3).float() + 1,
                "reward": number.unsqueeze(-1).float(),
                "done": last,
                "truncated": torch.zeros_like(last),
                "terminated": last.clone(),
            },
            "group": number // LENGTH,
            "policy_version": torch.zeros(count, dtype=torch.int64),
            "query": NonTensorStack(*(f"question {int(one) // LENGTH}" for one in number)),
        },
        [count],
    )


def plain(first: int, count: int) -> TensorDictBase:
    """The same without what is no tensor."""
    return written(first, count).exclude("query")


def build(buffer: str = "TensorDictReplayBuffer", **parts: Any) -> ReplayBuffer:
    """A buffer of these parts, given by name."""
    chosen = {}
    for kind, table in (("storage", STORAGES), ("sampler", SAMPLERS), ("writer", WRITERS)):
        part = table[parts.pop(kind, PLAIN[kind])]
        trouble = unmet(part.needs) if part.needs else None
        if trouble:
            raise Unverified(*trouble)
        try:
            chosen[kind] = part.make()
        except ImportError as error:
            raise Unverified(str(error), install(error.name) if error.name else "") from None
    return of(buffer)(**chosen, **{"batch_size": 4, **parts})


def numbers(sample: Any) -> list[int]:
    """The numbers of the steps in a sample."""
    return sorted(sample["number"].flatten().tolist())


def whole(sample: TensorDictBase) -> None:
    """Every entry of a row is of the same step."""
    number = sample["number"]
    assert torch.equal(sample["observation"], number.unsqueeze(-1).expand_as(sample["observation"]).float())
    assert torch.equal(sample["next", "observation"], sample["observation"] + 1)
    assert torch.equal(sample["next", "reward"], number.unsqueeze(-1).float())
    assert torch.equal(sample["nested", "byte"], (number % 256).to(torch.uint8).unsqueeze(-1))


COMBINATIONS = ["/".join(names) for names in itertools.product(BUFFERS, STORAGES, SAMPLERS, WRITERS)]
GROWING = tuple(name for name in STORAGES if name != "TensorStorage")  # that one is full from the beginning
ALONE = [
    *(f"storage/{name}" for name in GROWING),
    *(f"sampler/{name}" for name in SAMPLERS),
    *(f"writer/{name}" for name in WRITERS),
]


def with_one(case: str, **more: Any) -> ReplayBuffer:
    """A buffer with one part of its own, the others plain."""
    kind, name = case.split("/")
    return build(**{kind: name}, **more)


alone = pytest.mark.parametrize("case", sampled(ALONE, every=4))
storages = pytest.mark.parametrize("name", sampled(GROWING, every=0, keep=("ListStorage", "LazyTensorStorage")))


@pytest.mark.parametrize("case", sampled(COMBINATIONS, every=61))
def test_combination(case: str) -> None:
    """In every combination of parts, each row of a sample is one of the steps that were written, whole."""
    buffer, storage, sampler, writer = case.split("/")
    rb = build(buffer, storage=storage, sampler=sampler, writer=writer)
    assert len(rb) == (SIZE if storage == "TensorStorage" else 0)
    steps = plain if storage == "TensorStorage" else written
    for first in (0, 12):  # the second time beyond the capacity
        rb.extend(steps(first, 12))
    assert len(rb) == SIZE
    kept = range(8, 24)
    sample = rb.sample()
    assert sample.numel() == 4
    whole(sample)
    assert set(numbers(sample)) <= set(kept)


@storages
@pytest.mark.parametrize("writer", WRITERS)
def test_capacity(name: str, writer: str) -> None:
    """A full buffer keeps the last steps, or those of the highest rank, whether they come one by one or together."""
    together, singly = build(storage=name, writer=writer), build(storage=name, writer=writer)
    data = written(0, 24)
    together.extend(data[:10])
    together.extend(data[10:])
    for row in data.unbind(0):
        singly.add(row)
    for rb in (together, singly):
        assert len(rb) == SIZE
        assert numbers(rb[:]) == list(range(8, 24))
        whole(rb[:])


@alone
def test_state_dict(case: str) -> None:
    """A buffer that took over the state of another holds and draws the same, and writes where the other would."""
    first = with_one(case)
    first.extend(plain(0, 10))
    first.sample()
    second = with_one(case)
    second.load_state_dict(copy.deepcopy(first.state_dict()))
    assert len(second) == len(first)
    assert not differing(second[:], first[:])
    continues_alike(first, second)


@alone
def test_state_dict_is_no_alias(case: str) -> None:
    """Writing to a buffer that took over a state changes neither that state nor the buffer that it came from."""
    first = with_one(case)
    first.extend(plain(0, 10))
    first.sample()
    state = copy.deepcopy(first.state_dict())
    kept = copy.deepcopy(state)
    second = with_one(case)
    second.load_state_dict(state)
    second.extend(plain(100, 10))
    for _ in range(2):
        second.sample()
    assert unlike(leaves(kept), leaves(state)) == []


@pytest.mark.parametrize("case", sampled(ALONE, every=4, keep=["writer/TensorDictMaxValueWriter"]))
def test_dump(case: str, tmp_path: Path) -> None:
    """A buffer that was read from disk holds and draws the same as the one that was written there."""
    first = with_one(case)
    first.extend(plain(0, 10))
    first.sample()
    first.dumps(tmp_path)
    second = with_one(case)
    second.loads(tmp_path)
    assert len(second) == len(first)
    assert not differing(second[:], first[:])
    continues_alike(first, second)


@alone
def test_pickle(case: str) -> None:
    """A buffer that was pickled holds and draws the same."""
    first = with_one(case)
    first.extend(plain(0, 10))
    first.sample()
    second = pickle.loads(pickle.dumps(first))
    assert not differing(second[:], first[:])
    continues_alike(first, second)


def continues_alike(first: ReplayBuffer, second: ReplayBuffer) -> None:
    """Two buffers draw the same next, and write to the same place."""
    drawn = []
    for rb in (first, second):
        torch.manual_seed(0)
        np.random.seed(0)
        drawn.append(rb.sample())
    assert not differing(*drawn), f"they do not draw the same: {differing(*drawn)}"
    for rb in (first, second):
        rb.extend(plain(200, 10))
    assert not differing(first[:], second[:]), "they do not write to the same place"


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("way", ["state_dict", "dump"])
def test_count_of_writes(name: str, way: str, tmp_path: Path) -> None:
    """A buffer that was saved and read says how many steps were ever written to it."""
    first, second = build(writer=name), build(writer=name)
    for start in (0, 10):
        first.extend(plain(start, 10))
    if way == "state_dict":
        second.load_state_dict(copy.deepcopy(first.state_dict()))
    else:
        first.dumps(tmp_path)
        second.loads(tmp_path)
    assert first.write_count == 20
    assert second.write_count == 20


def leaves(state: Any, path: str = "") -> dict[str, Any]:
    """The values of a state by their path."""
    if isinstance(state, dict) or isinstance(state, TensorDictBase):
        return {key: value for name, part in state.items() for key, value in leaves(part, f"{path}/{name}").items()}
    if isinstance(state, (list, tuple)):
        return {key: value for row, part in enumerate(state) for key, value in leaves(part, f"{path}[{row}]").items()}
    return {path: state}


def unlike(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """The paths at which two states have another number or tensor."""
    shared = [path for path in one if path in other]
    missing = [path for path in {*one} ^ {*other}]
    return sorted([*missing, *(path for path in shared if not _equal(one[path], other[path]))])


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor):
        # Rows that nobody wrote are whatever memory held, NaN included.
        return one.shape == other.shape and bool(((one == other) | ((one != one) & (other != other))).all())
    return not isinstance(one, (int, float, str, bool)) or one == other or (one != one and other != other)


@storages
def test_write_is_no_alias(name: str) -> None:
    """Changing a sample leaves the buffer alone."""
    rb = build(storage=name)
    rb.extend(written(0, 10))
    before = rb[:].clone()
    sample = rb.sample()
    sample["observation"].fill_(-1)
    sample["next", "reward"].fill_(-1)
    assert not differing(rb[:], before)


@storages
@pytest.mark.parametrize("index", ["number", "slice", "list", "tensor"])
def test_index(name: str, index: str) -> None:
    """Reading at an index gives the steps that were written there, and writing there replaces them."""
    indices: dict[str, Any] = {
        "number": 3,
        "slice": slice(2, 5),
        "list": [2, 5],
        "tensor": torch.tensor([7, 1]),
    }
    where = indices[index]
    rb = build(storage=name, writer="RoundRobinWriter")
    data = plain(0, 10)
    rb.extend(data)
    assert not differing(rb[where], data[where])
    new = plain(50, 10)[where]
    rb[where] = new
    assert not differing(rb[where].select(*new.keys(True, True)), new)
    others = [row for row in range(10) if row not in torch.arange(10)[where].flatten().tolist()]
    assert numbers(rb[torch.tensor(others)]) == others


SHAPES = {
    "one": (6,),
    "two": (6, 2),
    "1 at the end": (6, 1),
    "three": (4, 2, 3),
    "two 1": (4, 1, 1),
    "1 between": (4, 1, 3),
    "three 1": (4, 3, 1),
}


@pytest.mark.parametrize("name", sampled(["LazyTensorStorage", "LazyMemmapStorage"], every=2))
@pytest.mark.parametrize("shape", sampled(SHAPES, every=0, keep=("one", "two", "three 1")))
@pytest.mark.parametrize("buffer", BUFFERS)
def test_dimensions(name: str, shape: str, buffer: str) -> None:
    """In a storage of several dimensions, what an index says of a step is where the step is."""
    size = SHAPES[shape]
    rb = of(buffer)(storage=of(name)(4 * math.prod(size), ndim=len(size)), batch_size=4)
    number = torch.arange(math.prod(size)).view(size)
    data = TensorDict({"number": number, "observation": number.unsqueeze(-1).float()}, size)
    rb.extend(data)
    again = TensorDict({"number": number + 1000, "observation": number.unsqueeze(-1).float() + 1000}, size)
    rb.extend(again)
    assert len(rb) == 2 * math.prod(size)
    assert numbers(rb[:]) == sorted([*number.flatten().tolist(), *(number + 1000).flatten().tolist()])
    sample, info = rb.sample(return_info=True)
    assert sample.shape == (4,)
    places = [info["index"]]
    if buffer == "TensorDictReplayBuffer":
        places.append(sample["index"])
    for place in places:
        if torch.is_tensor(place) and len(size) > 1:
            place = place.unbind(-1)
        assert torch.equal(rb.storage[tuple(place) if len(size) > 1 else place]["number"], sample["number"])


@pytest.mark.parametrize("name", ["SamplerWithoutReplacement", "SliceSamplerWithoutReplacement", "ConsumingSampler"])
def test_epoch(name: str) -> None:
    """Samplers that do not repeat themselves hand out every step of an epoch once, prefetched or not."""
    for prefetch in (None,) if name == "ConsumingSampler" else (None, 2):
        rb = build(sampler=name, prefetch=prefetch, batch_size=8)
        rb.extend(plain(0, SIZE))
        seen = [number for sample in rb for number in numbers(sample)]
        assert sorted(seen) == list(range(SIZE)), f"prefetch={prefetch}"


@pytest.mark.parametrize("prefetch", ["none", "one", "three"])
def test_prefetch(prefetch: str) -> None:
    """What is drawn in advance is neither lost nor older than what was drawn in advance when it was written."""
    ahead = {"none": None, "one": 1, "three": 3}[prefetch]
    rb = build(sampler="SamplerWithoutReplacement", prefetch=ahead)
    rb.extend(plain(0, SIZE))
    drawn = [numbers(rb.sample()) for _ in range(4)]
    assert sorted(itertools.chain(*drawn)) == list(range(SIZE))
    rb = build(prefetch=ahead)
    rb.extend(plain(0, 4))
    rb.sample()
    rb.extend(plain(100, SIZE))
    for _ in range(ahead or 0):
        rb.sample()
    assert set(numbers(rb.sample())) <= set(range(100, 100 + SIZE))


@pytest.mark.parametrize(
    "name", ["SliceSampler", "SliceSamplerWithoutReplacement", "StreamingSliceSampler", "PrioritizedSliceSampler"]
)
def test_slices(name: str) -> None:
    """A slice is steps of one trajectory that follow each other, and its last step says that it ends there."""
    trouble = unmet("ext") if name.startswith("Prioritized") else None
    if trouble:
        raise Unverified(*trouble)
    cls = of(name)
    first = (SIZE, 0.7, 0.9) if name.startswith("Prioritized") else ()
    rb = TensorDictReplayBuffer(
        storage=of("LazyTensorStorage")(SIZE), sampler=cls(*first, slice_len=2, end_key=END), batch_size=8
    )
    rb.extend(plain(0, SIZE))
    for _ in range(2):
        sample = rb.sample()
        whole(sample)
        for piece in sample.view(-1, 2).unbind(0):
            start, end = piece["number"].tolist()
            assert end == start + 1
            assert start // LENGTH == end // LENGTH
            assert bool(piece["next", "truncated"][-1]) or bool(piece["next", "done"][-1])


CHECKPOINTERS = {
    "TensorStorageCheckpointer": "LazyTensorStorage",
    "FlatStorageCheckpointer": "LazyMemmapStorage",
    "NestedStorageCheckpointer": "LazyMemmapStorage",
    "H5StorageCheckpointer": "LazyMemmapStorage",
    "ListStorageCheckpointer": "ListStorage",
    "CompressedListStorageCheckpointer": "CompressedListStorage",
}


class Hook:
    """A hook that remembers what it was told."""

    shift: int | None = None
    is_full: bool | None = None
    calls = 0

    def __call__(self, data: Any, path: Any = None, out: Any = None) -> Any:
        self.calls += 1
        return data


@pytest.mark.parametrize("name", ["LazyTensorStorage", "LazyMemmapStorage"])
@pytest.mark.parametrize("filled", ["part", "over"])
def test_hooks(name: str, filled: str, tmp_path: Path) -> None:
    """A hook is told where the buffer begins and whether it is full, and is nobody else's."""
    rb, other = build(storage=name), build(storage=name)
    save, read = Hook(), Hook()
    rb.register_save_hook(save)
    rb.register_load_hook(read)
    rb.extend(plain(0, 10))
    if filled == "over":
        rb.extend(plain(10, 10))
    rb.dumps(tmp_path / "one")
    assert (save.calls, save.is_full) == (1, filled == "over")
    assert save.shift == (4 if filled == "over" else 10)
    rb.loads(tmp_path / "one")
    assert read.calls == 1
    other.extend(plain(0, 10))
    other.dumps(tmp_path / "two")
    assert save.calls == 1


@pytest.mark.parametrize("name", sampled(CHECKPOINTERS, every=2))
@pytest.mark.parametrize("filled", ["part", "over"])
def test_checkpointer(name: str, filled: str, tmp_path: Path) -> None:
    """Steps that a checkpointer has written and read are the same steps, in the same order."""
    if name.startswith("H5") and unmet("h5py"):
        raise Unverified(*unmet("h5py"))
    first, second = (build(storage=CHECKPOINTERS[name], checkpointer=of(name)()) for _ in range(2))
    data = plain(0, 8).select("number", "observation", "next")
    data["collector"] = TensorDict({"traj_ids": data["number"] // LENGTH}, [8])
    first.extend(data)
    if filled == "over":
        for shift in (8, 16):
            more = data.clone()
            more["number"] += shift
            more["observation"] += shift
            more["next", "observation"] += shift
            more["collector", "traj_ids"] += shift // LENGTH
            first.extend(more)
    first.dumps(tmp_path)
    second.loads(tmp_path)
    assert len(second) == len(first)
    keys = [key for key in ("number", "observation") if key in second[:].keys()]
    assert keys
    one, other = (sorted(map(tuple, rb[:]["observation"].tolist())) for rb in (first, second))
    assert one == other


@storages
def test_empty(name: str) -> None:
    """An emptied buffer holds nothing, and is filled anew from its beginning."""
    rb = build(storage=name)
    rb.extend(plain(0, 10))
    rb.empty()
    assert len(rb) == 0
    rb.extend(plain(40, 6))
    assert numbers(rb[:]) == list(range(40, 46))


@storages
@pytest.mark.parametrize("first", ["device", "no device"])
@pytest.mark.parametrize("where", ["root", "nested"])
def test_device_of_data(name: str, first: str, where: str) -> None:
    """Steps that say which device they are on and steps that do not are written to one buffer."""
    said, unsaid = plain(0, 4), plain(4, 4)
    if where == "root":
        said = said.to("cpu")
    else:
        said["next"] = said["next"].to("cpu")
    rb = build(storage=name)
    for data in (said, unsaid) if first == "device" else (unsaid, said):
        rb.extend(data)
    assert numbers(rb[:]) == list(range(8))
    rb.sample()


def test_priority_of_the_new() -> None:
    """A new step is drawn as readily as the one of the highest priority so far."""
    rb = build(sampler="PrioritizedSampler")
    index = rb.extend(plain(0, 8))
    rb.update_priority(index, torch.full((8,), 3.0))
    new = rb.extend(plain(8, 1))
    weights = torch.tensor([rb._sampler._sum_tree[int(one)] for one in (*index, *new)])
    assert torch.allclose(weights, weights[:1].expand_as(weights)), (
        f"of the others {weights[0]}, of the new one {weights[-1]}"
    )


@pytest.mark.parametrize("alpha", ["0", "0.5", "1"])
@pytest.mark.parametrize("within", ["ever", "in the buffer"])
def test_priority(alpha: str, within: str) -> None:
    """Steps are drawn in proportion to their priority to the power of alpha, and weighted by the inverse of that."""
    trouble = unmet("ext")
    if trouble:
        raise Unverified(*trouble)
    sampler = of("PrioritizedSampler")(SIZE, float(alpha), 1.0, max_priority_within_buffer=within != "ever")
    rb = ReplayBuffer(storage=of("LazyTensorStorage")(SIZE), sampler=sampler, batch_size=64)
    index = rb.extend(plain(0, 8))
    priorities = torch.arange(1.0, 9.0)
    rb.update_priority(index, priorities)
    stored = torch.tensor([sampler._sum_tree[int(one)] for one in index])
    assert torch.allclose(stored, priorities ** float(alpha), rtol=1e-3)
    _, info = rb.sample(return_info=True)
    weights = info["_weight"] if "_weight" in info else info["priority_weight"]
    expected = (stored.min() / stored)[info["index"]]
    assert torch.allclose(weights.flatten().float(), expected, rtol=1e-2)


@pytest.mark.parametrize("name", ["LinearScheduler", "StepScheduler", "LambdaScheduler"])
def test_scheduler(name: str) -> None:
    """A scheduler changes the parameter of a sampler step by step, and goes on where its state was taken."""
    module = present("torchrl.data.replay_buffers.scheduler")
    if module is None or not hasattr(module, name):
        raise Unverified(f"torchrl {version('torchrl')} has no {name}")
    arguments = {
        "LinearScheduler": {"final_value": 1.0, "num_steps": 4},
        "StepScheduler": {"gamma": 0.5, "n_steps": 1},
        "LambdaScheduler": {"lambda_fn": lambda step: 1.0 / (1 + step)},
    }[name]
    rb, again = build(sampler="PrioritizedSampler"), build(sampler="PrioritizedSampler")
    first, second = (getattr(module, name)(one._sampler, param_name="beta", **arguments) for one in (rb, again))
    for _ in range(2):
        first.step()
    halfway = float(rb._sampler.beta)
    assert halfway != 0.9
    again._sampler.load_state_dict(rb._sampler.state_dict())
    second.load_state_dict(first.state_dict())
    for one in (first, second):
        one.step()
    assert float(rb._sampler.beta) == pytest.approx(float(again._sampler.beta))


def test_ensemble() -> None:
    """A buffer of buffers draws from each, and says from which."""
    parts = []
    for first in (0, 100):
        part = build()
        part.extend(plain(first, 8))
        parts.append(part)
    rb = of("ReplayBufferEnsemble")(*parts, batch_size=8, sample_from_all=True)
    sample, info = rb.sample(return_info=True)
    assert {number // 100 for number in numbers(sample)} == {0, 1}
    for row, part in enumerate(sample.unbind(0)):
        assert {number // 100 for number in numbers(part)} == {row}
    assert not differing(rb[0, :], parts[0][:])


def test_hindsight() -> None:
    """Hindsight goals are goals that were reached in the same trajectory, and the rewards are those of the new goals."""
    cls = of("HERReplayBuffer")

    def reward(data: TensorDictBase) -> torch.Tensor:
        return (data["desired_goal"] == data["achieved_goal"]).all(-1, keepdim=True).float()

    rb = cls(reward, storage=of("LazyTensorStorage")(SIZE), batch_size=8, her_ratio=1.0)
    data = plain(0, SIZE)
    data["achieved_goal"] = data["observation"].clone()
    data["desired_goal"] = torch.full_like(data["observation"], -1)
    data["next", "achieved_goal"] = data["next", "observation"].clone()
    data["next", "desired_goal"] = data["desired_goal"].clone()
    rb.extend(data)
    sample = rb.sample()
    goal, number = sample["desired_goal"][..., 0], sample["number"]
    assert (goal >= 0).all()
    assert torch.equal((goal - 1).clamp_min(0).long() // LENGTH, number // LENGTH) or torch.equal(
        goal.long() // LENGTH, number // LENGTH
    )


@pytest.mark.parametrize(
    "case", [f"{name}/{storage}" for name in ("set_at_", "set_", "update_") for storage in IN_PLACE]
)
def test_in_place(case: str) -> None:
    """Entries that are set in place are set, and no others."""
    method, storage = case.split("/")
    rb = build(storage=storage)
    if not hasattr(rb, method):
        raise Unverified(f"torchrl {version('torchrl')} has no ReplayBuffer.{method}")
    rb.extend(plain(0, 8))
    if method == "set_at_":
        rb.set_at_("observation", torch.full((2, 3), -1.0), torch.tensor([1, 3]))
        expected = [row if row not in (1, 3) else -1 for row in range(8)]
    elif method == "set_":
        rb.set_("observation", torch.full((8, 3), -1.0))
        expected = [-1] * 8
    else:
        rb.update_(TensorDict({"observation": torch.full((8, 3), -1.0)}, [8]))
        expected = [-1] * 8
    assert rb[:]["observation"][:, 0].tolist() == expected
    assert numbers(rb[:]) == list(range(8))
