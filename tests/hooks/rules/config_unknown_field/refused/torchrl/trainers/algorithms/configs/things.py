from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class CropConfig(ConfigBase):
    w: int = 84
    height: int = 84  # expect: config-unknown-field error
    _target_: str = "torchrl.things.Crop"
    _partial_: bool = False
    _recursive_: bool = False


# No keyword reaches *samplers.
@dataclass
class EnsembleConfig(ConfigBase):
    samplers: list[Any] = field(default_factory=list)  # expect: config-unknown-field error
    p: Any = None
    _target_: str = "torchrl.things.Ensemble"


# Game passes batch_size itself.
@dataclass
class GameConfig(ConfigBase):
    name: str = MISSING
    batch_size: Any = None  # expect: config-unknown-field error
    env: Any = None
    _target_: str = "torchrl.things.Game"
