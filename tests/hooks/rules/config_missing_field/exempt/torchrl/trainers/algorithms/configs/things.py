from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class OldConfig(ConfigBase):  # expect: config-missing-field error
    new: Any = None
    _target_: str = "torchrl.things.Old"


# env is what the class builds, channel is internal, and what _build takes cannot be seen.
@dataclass
class GameEnvConfig(ConfigBase):
    name: str = MISSING
    pixels: bool = False
    _target_: str = "torchrl.things.GameEnv"
