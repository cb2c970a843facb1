from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class WrappedConfig(ConfigBase):  # expect: config-missing-field error
    base: Any = None
    cache: bool = True
    device: Any = None
    _target_: str = "torchrl.things.Wrapped"
