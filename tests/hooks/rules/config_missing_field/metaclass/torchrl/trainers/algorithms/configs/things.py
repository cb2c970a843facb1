from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


# What only the metaclass takes is an advisory, and nothing where no docstring speaks of it.
@dataclass
class PoolConfig(ConfigBase):  # expect: config-missing-field advisory
    size: int = 1
    _target_: str = "torchrl.things.Pool"


@dataclass
class CompletePoolConfig(ConfigBase):
    size: int = 1
    workers: int = 1
    _target_: str = "torchrl.things.Pool"
