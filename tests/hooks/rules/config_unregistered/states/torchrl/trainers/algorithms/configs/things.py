from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class BaseConfig(ConfigBase):
    _target_: str = "torchrl.things.Base"


@dataclass
class OneConfig(BaseConfig):
    _target_: str = "torchrl.things.One"


@dataclass
class ExportedConfig(BaseConfig):  # expect: config-unregistered warning
    _target_: str = "torchrl.things.Two"


@dataclass
class StoredConfig(BaseConfig):  # expect: config-unregistered warning
    _target_: str = "torchrl.things.Two"


# Stored twice under one name: the second hides the first.
@dataclass
class HiddenConfig(BaseConfig):  # expect: config-unregistered error
    _target_: str = "torchrl.things.Two"


@dataclass
class LayerConfig(ConfigBase):
    _target_: str = "torchrl.things.Layer"


@dataclass
class SharedConfig(ConfigBase):
    layer: LayerConfig | None = None


@dataclass
class GoneConfig(ConfigBase):
    _target_: str = "torchrl.things.Gone"
