from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class OldConfig(ConfigBase):
    """Configuration for Old."""

    _target_: str = "torchrl.things.Old"


@dataclass
class NewConfig(ConfigBase):  # expect: config-cross-reference error
    """Hydra configuration for :class:`~torchrl.things.New`."""

    _target_: str = "torchrl.things.New"
