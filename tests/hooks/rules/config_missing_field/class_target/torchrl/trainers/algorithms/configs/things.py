from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class ParentConfig(ConfigBase):
    size: Any = None


# The target is folded, and goes through a re-export; size is inherited.
@dataclass
class ChildConfig(ParentConfig):  # expect: config-missing-field error
    _target_: str = (
        "torchrl."
        "Child"
    )
    _convert_: str = "all"


# The __init__ is the base's.
@dataclass
class SameConfig(ParentConfig):
    _target_: str = "torchrl.things.Same"
    seed: Any = None
