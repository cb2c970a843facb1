from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class ThingConfig(ConfigBase):
    size: int = 1
    space: Any = None  # expect: config-unknown-field error
    _target_: str = "torchrl.trainers.algorithms.configs.factory._make_thing"
