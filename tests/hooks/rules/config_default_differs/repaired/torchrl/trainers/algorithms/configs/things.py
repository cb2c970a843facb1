from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class ThingConfig(ConfigBase):
    # Stays.
    size: int = 1  # expect: config-default-differs error
    name: Any = None  # expect: config-default-differs error
    rate: float = 1.0  # expect: config-default-differs error
    _target_: str = "torchrl.things.Thing"
