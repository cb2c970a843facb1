from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class BaseConfig(ConfigBase):
    _partial_: bool = False


@dataclass
class OneConfig(BaseConfig):
    _target_: str = "torchrl.things.One"
