from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class GoneConfig(ConfigBase):
    _target_: str = "torchrl.things.Gone"  # expect: config-target-unresolved error


@dataclass
class MovedConfig(ConfigBase):
    _target_: str = "torchrl.old.things.Thing"  # expect: config-target-unresolved error


@dataclass
class AliasConfig(ConfigBase):
    _target_: str = "torchrl.things.Alias"


@dataclass
class StarConfig(ConfigBase):
    _target_: str = "torchrl.exports.Thing"


@dataclass
class LazyConfig(ConfigBase):
    _target_: str = "torchrl.lazy.Later"


@dataclass
class NeverConfig(ConfigBase):
    _target_: str = "torchrl.lazy.Never"  # expect: config-target-unresolved error


# A module that needs a library is read, not imported.
@dataclass
class NeedyConfig(ConfigBase):
    _target_: str = "torchrl.needy.Needy"


@dataclass
class ForeignConfig(ConfigBase):
    _target_: str = "some_package_that_is_nowhere.Thing"


@dataclass
class ParentConfig(ConfigBase):
    size: int = 1
