"""Recording and rendering: a video holds the frames that were seen, a logger what it was told, a renderer what it rolled out."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from tensordict import TensorDict
from torchrl.data import Bounded, Composite, Unbounded
from torchrl.envs import SerialEnv, TransformedEnv

from ..installed import install, version
from ..outcome import Unverified
from ..table import load
from ._public import sampled
from ._worlds import World, grey, pixels, plain

TABLE = load(__file__)
STEPS = 4
SIZE = 8  # of a frame, in both directions
FORMS = {  # of a frame: its shape
    "colour": (3, SIZE, SIZE),
    "colour last": (SIZE, SIZE, 3),
    "grey": (1, SIZE, SIZE),
    "grey last": (SIZE, SIZE, 1),
}


def of(place: str, name: str) -> Any:
    """A class of torchrl; unverified where this torchrl has none, or lacks a package for it."""
    try:
        return getattr(importlib.import_module(place), name)
    except AttributeError:
        raise Unverified(f"torchrl {version('torchrl')} has no {place}.{name}") from None
    except ImportError as error:
        if (error.name or "").startswith("torchrl"):
            raise Unverified(f"torchrl {version('torchrl')} has no {place}") from None
        raise Unverified(f"{place} cannot be imported: {error}", install(error.name) if error.name else "") from None


def logger(folder: Path) -> Any:
    """A logger that keeps videos as tensors."""
    return of("torchrl.record", "CSVLogger")("run", log_dir=str(folder), video_format="pt")


def video(folder: Path, name: str = "film") -> torch.Tensor:
    """The one video that was written."""
    (file,) = folder.glob(f"**/{name}_*.pt")
    return torch.load(file)


def filming(form: str, dtype: torch.dtype = torch.uint8, **more: Any) -> World:
    """An environment that shows frames of this form."""
    observation = Composite(pixels=Bounded(0, 255, FORMS[form], dtype=dtype), observation=Unbounded(3))
    return plain(observation=observation, **more)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("number", sampled(["one", "batch", "serial"], every=3))
@pytest.mark.parametrize("dtype", sampled(["uint8", "float32"], every=2))
def test_video(form: str, number: str, dtype: str, tmp_path: Path) -> None:
    """A video has a frame for each observation, in three channels, with the values that were seen; they pass unchanged."""
    kind = getattr(torch, dtype)
    base = {
        "one": lambda: filming(form, kind),
        "batch": lambda: filming(form, kind, batch=(2,)),
        "serial": lambda: SerialEnv(2, lambda: filming(form, kind)),
    }[number]()
    recorder = of("torchrl.record", "VideoRecorder")(logger(tmp_path), "film", skip=1, make_grid=False)
    env = TransformedEnv(base, recorder)
    data = env.rollout(STEPS)
    shown = data["pixels"]
    assert shown.shape == (*base.batch_size, STEPS, *FORMS[form])
    assert shown.dtype == kind
    assert env.observation_spec["pixels"] == base.observation_spec["pixels"]
    env.transform.dump()
    film = video(tmp_path)
    frames = film.reshape(-1, *film.shape[-3:])
    copies = 1 if number == "one" else 2
    assert frames.shape == (copies * (STEPS + 1), 3, SIZE, SIZE)
    assert frames.dtype == torch.uint8
    assert sorted(frames[:, 0, 0, 0].tolist()) == sorted([*range(STEPS + 1)] * copies)
    assert all((frame == frame.flatten()[0]).all() for frame in frames)


@pytest.mark.parametrize("skip", ["1", "2", "3"])
def test_skipped_frames(skip: str, tmp_path: Path) -> None:
    """Of the frames that are seen every n-th is kept, and a dump begins a new video."""
    recorder = of("torchrl.record", "VideoRecorder")(logger(tmp_path), "film", skip=int(skip))
    env = TransformedEnv(pixels(), recorder)
    env.rollout(5)
    assert len(recorder.obs) == 6 // int(skip)
    recorder.dump()
    assert len(recorder.obs) == 0
    assert video(tmp_path).shape[-4] == 6 // int(skip)


def test_recorder_of_steps(tmp_path: Path) -> None:
    """A recorder of steps writes down the steps that were made."""
    recorder = of("torchrl.record", "TensorDictRecorder")(str(tmp_path / "steps"), skip_reset=True, skip=1)
    env = TransformedEnv(plain(), recorder)
    env.rollout(STEPS)
    recorder.dump()
    (file,) = tmp_path.glob("steps*")
    data = torch.load(file, weights_only=False) if file.is_file() else TensorDict.load(file)
    shown = data["observation"] if "observation" in data.keys() else data["next", "observation"]
    assert shown[..., 0].flatten().tolist() == [1.0, 2.0, 3.0, 4.0]


class Rendered(World):
    """An environment that can be rendered."""

    def render(self, **_: Any) -> torch.Tensor:
        return torch.full((*self.batch_size, SIZE, SIZE, 3), int(self.count.max()), dtype=torch.uint8)


def rendered() -> Rendered:
    """One of those."""
    return Rendered(
        Composite(observation=Unbounded(3)), Composite(action=Bounded(-1, 1, 2)), Composite(reward=Unbounded(1))
    )


def test_rendered_pixels() -> None:
    """What an environment renders at a step is the observation of that step, and its spec says so."""
    transform = of("torchrl.record", "PixelRenderTransform")()
    env = TransformedEnv(rendered(), transform)
    spec = env.observation_spec["pixels"]
    data = env.rollout(STEPS)
    assert data["pixels"].shape == (STEPS, SIZE, SIZE, 3)
    assert (spec.shape, spec.dtype) == ((SIZE, SIZE, 3), torch.uint8)
    assert data["pixels"][:, 0, 0, 0].tolist() == list(range(STEPS))
    assert data["next", "pixels"][:, 0, 0, 0].tolist() == list(range(1, STEPS + 1))


def test_scalars(tmp_path: Path) -> None:
    """A logger writes each number with its step, those without a step one after the other."""
    log = logger(tmp_path)
    for step, value in ((3, 0.5), (7, -1.0)):
        log.log_scalar("loss/policy", value, step=step)
    log.log_scalar("reward", torch.tensor(2.0))
    log.log_scalar("reward", 3)
    files = {file.stem: file.read_text().splitlines() for file in tmp_path.glob("**/scalars/**/*.csv")}
    assert files == {"policy": ["3,0.5", "7,-1.0"], "reward": ["0,2.0", "1,3.0"]}


def test_metrics(tmp_path: Path) -> None:
    """Several numbers at once are each written, whatever kind of number they are."""
    log = logger(tmp_path)
    if not hasattr(log, "log_metrics"):
        raise Unverified(f"torchrl {version('torchrl')} has no Logger.log_metrics")
    log.log_metrics({"a": 1, "b": torch.tensor(0.5), "c": 2.0}, step=4)
    files = {file.stem: file.read_text().split() for file in tmp_path.glob("**/scalars/**/*.csv")}
    assert files == {"a": ["4,1.0"], "b": ["4,0.5"], "c": ["4,2.0"]}


def test_hyperparameters(tmp_path: Path) -> None:
    """What a run was started with is found in its folder."""
    log = logger(tmp_path)
    log.log_hparams({"lr": 0.25, "name": "a run"})
    said = "".join(file.read_text() for file in tmp_path.glob("**/*hparams*"))
    assert "lr: 0.25" in said
    assert "name: a run" in said


@pytest.mark.parametrize("form", ["pt", "memmap"])
def test_logged_video(form: str, tmp_path: Path) -> None:
    """A video that is logged is the one that is read back."""
    log = of("torchrl.record", "CSVLogger")("run", log_dir=str(tmp_path), video_format=form)
    film = torch.arange(5 * 3 * SIZE * SIZE).remainder(256).to(torch.uint8).view(1, 5, 3, SIZE, SIZE)
    log.log_video("film", film, step=2)
    (file,) = tmp_path.glob("**/videos/**/film_2.*")
    if form == "pt":
        read = torch.load(file)
    else:
        read = torch.from_file(str(file), size=film.numel(), dtype=torch.uint8).view(film.shape)
    assert torch.equal(read, film)


@pytest.mark.tier("optional")
@pytest.mark.limit(120)
@pytest.mark.needs("tensorboard")
def test_tensorboard(tmp_path: Path) -> None:
    """The logger of tensorboard writes events to its folder."""
    log = of("torchrl.record.loggers.tensorboard", "TensorboardLogger")("run", log_dir=str(tmp_path))
    log.log_scalar("loss", 0.5, step=1)
    log.experiment.flush()
    assert [*tmp_path.glob("**/events.out.tfevents*")]


@pytest.mark.tier("optional")
@pytest.mark.limit(120)
@pytest.mark.needs("wandb")
def test_wandb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The logger of wandb writes a run to its folder, without a network."""
    monkeypatch.setenv("WANDB_MODE", "offline")
    log = of("torchrl.record.loggers.wandb", "WandbLogger")(
        "run", offline=True, save_dir=str(tmp_path), project="smoke"
    )
    log.log_scalar("loss", 0.5, step=1)
    log.experiment.finish()
    assert [*tmp_path.glob("**/*.wandb")]


@pytest.mark.tier("full")
@pytest.mark.limit(120)
@pytest.mark.needs("torchrl.render.cli")
def test_command() -> None:
    """The command `rlrender` says how it is used."""
    done = subprocess.run([sys.executable, "-m", "torchrl.render", "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "usage: " in done.stdout


def test_grid(tmp_path: Path) -> None:
    """The grid of several grey environments is one frame at a time."""
    recorder = of("torchrl.record", "VideoRecorder")(logger(tmp_path), "film", skip=1, make_grid=True)
    env = TransformedEnv(SerialEnv(2, grey), recorder)
    try:
        env.rollout(STEPS)
    except ImportError as error:
        raise Unverified(str(error), install("torchvision")) from None
    assert len(recorder.obs) == STEPS + 1
