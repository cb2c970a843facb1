from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class GameEnvConfig(ConfigBase):
    name: str = "pong"  # expect: config-default-differs advisory
    device: str = "cpu"  # expect: config-default-differs warning
    frames: int = 4  # expect: config-default-differs error
    eps: float | None = None  # expect: config-default-differs error
    log: Any = MISSING  # expect: config-default-differs advisory
    workers: int = 1
    _target_: str = "torchrl.things.GameEnv"
