"""Trainers: a short training, what is saved of it and loaded again, and the hooks one by one."""

from __future__ import annotations

import copy
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn

from ..needs import unmet
from ..outcome import Unverified
from ..seed import reseed
from ._public import classes, present, sampled

for need in ("hydra-core", "torchrl.trainers.Trainer"):  # torchrl.trainers imports the Configs
    if trouble := unmet(need):
        raise Unverified(*trouble)

from torchrl.data import LazyTensorStorage, TensorDictReplayBuffer  # noqa: E402
from torchrl.envs import PendulumEnv, TransformedEnv  # noqa: E402
from torchrl.envs.transforms import CatTensors, Compose, UnsqueezeTransform  # noqa: E402
from torchrl.modules import Actor, ValueOperator  # noqa: E402
from torchrl.objectives import DDPGLoss, SoftUpdate  # noqa: E402

from ._losses import Joined  # noqa: E402

MODULE = present("torchrl.trainers")
ROOT = present("torchrl.trainers.trainers")
FRAMES, BATCH = 24, 8


def environment() -> TransformedEnv:
    """A pendulum with one observation."""
    wider = UnsqueezeTransform(in_keys=["th", "thdot"], out_keys=["a", "b"], dim=-1)
    return TransformedEnv(PendulumEnv(), Compose(wider, CatTensors(in_keys=["a", "b"], out_key="observation")))


def trainer(file: Path | None = None, seed: int = 0) -> Any:
    """A trainer of a small actor and critic, with a collector in this process."""
    reseed(seed)
    env = environment()
    actor = Actor(Joined(2, 1, nn.Tanh()), in_keys=["observation"], spec=env.action_spec)
    critic = ValueOperator(Joined(3, 1), in_keys=["observation", "action"])
    loss = DDPGLoss(actor, critic)
    loss.make_value_estimator(gamma=0.9)
    collectors = present("torchrl.collectors")
    collector = getattr(collectors, "Collector", None) or collectors.SyncDataCollector
    optimizer = torch.optim.Adam([one for one in loss.parameters() if one.requires_grad], lr=0.01)
    made = MODULE.Trainer(
        collector=collector(env, actor, frames_per_batch=BATCH, total_frames=FRAMES),
        total_frames=FRAMES,
        frame_skip=1,
        optim_steps_per_batch=2,
        loss_module=loss,
        optimizer=optimizer,
        progress_bar=False,
        save_trainer_file=file,
        save_trainer_interval=10**9,
    )
    buffer = TensorDictReplayBuffer(storage=LazyTensorStorage(FRAMES), batch_size=4)
    ROOT.ReplayBufferTrainer(buffer, batch_size=4, flatten_tensordicts=True).register(made)
    updater = SoftUpdate(loss, eps=0.5)
    made.register_op("post_optim", updater.step)
    return made


def state(module: nn.Module) -> dict[str, torch.Tensor]:
    """A copy of the parameters and buffers."""
    return {key: value.clone() for key, value in module.state_dict().items() if isinstance(value, torch.Tensor)}


def same(first: dict[str, torch.Tensor], second: dict[str, torch.Tensor]) -> bool:
    """Whether two states are equal."""
    return first.keys() == second.keys() and all(torch.equal(value, second[key]) for key, value in first.items())


def test_training() -> None:
    """A training sees all frames, changes every network and its target, and leaves finite parameters."""
    made = trainer()
    before = state(made.loss_module)
    made.train()
    after = state(made.loss_module)
    assert made.collected_frames == FRAMES, f"{made.collected_frames} of {FRAMES} frames are counted"
    still = [key for key, value in after.items() if "network_params" in key and torch.equal(value, before[key])]
    assert not still, f"{still} are as before"
    assert all(bool(value.isfinite().all()) for value in after.values()), "a parameter is not finite"


@pytest.mark.parametrize("backend", ["torch", "torchsnapshot"])
def test_saved_training(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trainer that loads another's file has its networks, its optimizer's state and its count of frames."""
    if backend != "torch" and (trouble := unmet(backend)):
        raise Unverified(*trouble)
    monkeypatch.setenv("CKPT_BACKEND", backend)
    file = tmp_path / "trainer.pt"
    first = trainer(file)
    first.train()
    assert file.exists(), "no file is written at the end of a training"
    second = trainer(file, seed=1)
    second.load_from_file(file)
    assert same(state(first.loss_module), state(second.loss_module)), "the networks are others"
    assert second.collected_frames == first.collected_frames, f"{second.collected_frames} frames are counted"


HOOKS = {
    name: cls for name, cls in classes(ROOT.TrainerHookBase, "torchrl.trainers", "torchrl.trainers.trainers").items()
}


def batch() -> TensorDict:
    """A batch of two trajectories."""
    reward = torch.arange(12.0).reshape(2, 6, 1) * 3 + 5
    done = torch.zeros(2, 6, 1, dtype=torch.bool)
    return TensorDict(
        {"observation": torch.randn(2, 6, 3), "action": torch.randn(2, 6, 1), "next": {"reward": reward, "done": done}},
        batch_size=[2, 6],
    )


def value_estimator(data: TensorDict) -> TensorDict:
    """Writes an advantage."""
    return data.set("advantage", data["next", "reward"])


ARGUMENTS: dict[str, dict[str, Any]] = {
    "SelectKeys": {"keys": ["observation", ("next", "reward")]},
    "RewardNormalizer": {},
    "LogScalar": {},
    "LogReward": {},
    "BatchSubSampler": {"batch_size": 4, "sub_traj_len": 2},
    "CountFramesLog": {"frame_skip": 2},
    "ClearCudaCache": {"interval": 2},
    "LogTiming": {},
    "ValueEstimatorHook": {"value_estimator": value_estimator},
}


@pytest.mark.filterwarnings("ignore:.*deprecat")
@pytest.mark.parametrize(
    "name", sampled([name for name in HOOKS if name in ARGUMENTS], every=2, keep=["ClearCudaCache"])
)
def test_hook(name: str) -> None:
    """A hook registers itself, takes a batch, leaves it as it was, and has its state again after loading it."""
    made, second = (HOOKS[name](**ARGUMENTS[name]) for _ in range(2))
    holder = trainer()
    made.register(holder, "hook")
    data = batch()
    before = data.clone()
    if callable(made) and name != "ValueEstimatorHook":
        _ = made() if name == "ClearCudaCache" else made(data)
        changed = [key for key in before.keys(True, True) if not torch.equal(before[key], data[key])]
        assert not changed, f"{changed} of the batch are changed"
    kept = copy.deepcopy(made.state_dict())
    second.load_state_dict(kept)
    assert repr(second.state_dict()) == repr(kept), f"the state {kept} is {second.state_dict()} after loading"


@pytest.mark.parametrize("decay", ["0.9", "0.999"])
def test_rewards_are_normalized(decay: str) -> None:
    """A reward normalizer that has seen rewards gives them a mean near zero and a deviation near one."""
    made = ROOT.RewardNormalizer(decay=float(decay))
    data = batch()
    for _ in range(20):
        made.update_reward_stats(data)
    given = made.normalize_reward(data.clone())["next", "reward"]
    assert abs(float(given.mean())) < 0.1 and abs(float(given.std()) - 1) < 0.2, (
        f"mean {given.mean()}, deviation {given.std()}"
    )


def test_sub_batches() -> None:
    """A sub-sampler gives consecutive steps of one trajectory, as many as were asked for."""
    data = batch()
    given = ROOT.BatchSubSampler(batch_size=6, sub_traj_len=3)(data)
    assert given.shape == (2, 3), f"the shape is {tuple(given.shape)}"
    assert bool((given["next", "reward"].diff(dim=1) == 3).all()), "steps are not consecutive"


def test_frames_are_counted() -> None:
    """Frames are counted with the frames that were skipped, and without padding."""
    made = ROOT.CountFramesLog(frame_skip=2)
    data = batch()
    first = made(data)
    mask = torch.ones(2, 6, dtype=torch.bool)
    mask[0, 4:] = False
    data["collector", "mask"] = mask
    second = made(data)
    assert first["n_frames"] == 24, f"{first['n_frames']} frames are counted, not 24"
    assert second["n_frames"] == 44, f"{second['n_frames']} frames are counted with padding, not 44"


def test_selected_keys() -> None:
    """What is selected is kept, and nothing else."""
    given = ROOT.SelectKeys(["observation", ("next", "reward")])(batch())
    assert set(given.keys(True, True)) == {"observation", ("next", "reward")}, (
        f"kept are {list(given.keys(True, True))}"
    )


def test_optimizer_hook() -> None:
    """An optimizer hook lowers the loss of its components and tells the norm of the gradient."""
    net = TensorDictModule(nn.Linear(3, 1), in_keys=["observation"], out_keys=["out"])
    hook = ROOT.OptimizerHook(torch.optim.SGD(net.parameters(), lr=0.1))
    data = batch()
    losses = []
    for step in range(3):
        loss = net(data)["out"].pow(2).mean()
        given = hook(TensorDict({"loss_value": loss}), False, 1.0, step)
        losses.append(float(loss))
    assert losses[2] < losses[0], f"the losses are {losses}"
    assert any("grad_norm" in str(key) for key in OrderedDict(given.items())), f"it tells {list(given.keys())}"
