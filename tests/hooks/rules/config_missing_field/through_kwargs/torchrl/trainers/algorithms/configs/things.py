from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


# Left, then Right, then Root: seed is what no field stands for, fixed is passed on the way.
@dataclass
class BothConfig(ConfigBase):  # expect: config-missing-field error
    left: int = 0
    right: int = 0
    rate: float = 1.0
    _target_: str = "torchrl.things.Both"


# rate is filled by position.
@dataclass
class DirectConfig(ConfigBase):
    seed: Any = None
    fixed: Any = None
    _target_: str = "torchrl.things.Direct"
