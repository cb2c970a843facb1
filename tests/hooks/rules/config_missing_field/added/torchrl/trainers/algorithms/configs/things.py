from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


from torchrl.things import Trainer


@dataclass
class TrainerConfig(ConfigBase):  # expect: config-missing-field error
    frames: int = MISSING
    _target_: str = "torchrl.trainers.algorithms.configs.things._make_trainer"


def _make_trainer(*args, **kwargs) -> Trainer:
    frames = kwargs.pop("frames")

    # Built here.
    trainer = Trainer(
        frames=frames,
    )
    return trainer


@dataclass
class PlainConfig(ConfigBase):  # expect: config-missing-field error
    """A plain thing."""

    _target_: str = "torchrl.things.Plain"
    # The size comes first.
    size: Any = None
