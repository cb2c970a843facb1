from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class OneConfig(ConfigBase):  # expect: config-cross-reference warning
    """Configuration for One."""

    _target_: str = "torchrl.things.One"


@dataclass
class TwoConfig(ConfigBase):  # expect: config-cross-reference warning
    _target_: str = "torchrl.things.Two"
