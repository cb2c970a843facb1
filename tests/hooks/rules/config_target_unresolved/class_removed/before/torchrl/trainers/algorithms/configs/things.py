from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class ThingConfig(ConfigBase):
    _target_: str = "torchrl.things.Thing"


# This one was gone before.
@dataclass
class OldConfig(ConfigBase):
    _target_: str = "torchrl.things.Old"
