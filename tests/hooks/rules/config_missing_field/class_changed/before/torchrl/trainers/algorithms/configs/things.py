from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class ThingConfig(ConfigBase):
    size: int = 1
    _target_: str = "torchrl.things.Thing"


# An old gap is not this change's.
@dataclass
class OldConfig(ConfigBase):
    _target_: str = "torchrl.old.Old"
