from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


# What gym.make takes cannot be seen, and the metaclass takes workers.
@dataclass
class GameConfig(ConfigBase):
    name: str = MISSING
    render_mode: Any = None
    _target_: str = "torchrl.things.Game"


@dataclass
class PoolConfig(ConfigBase):
    size: int = 1
    workers: int = 1
    _target_: str = "torchrl.things.Pool"
