from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


@dataclass
class StorageConfig(ConfigBase):  # expect: config-missing-field advisory
    _target_: str = "torchrl.things.Storage"


@dataclass
class LayerConfig(ConfigBase):  # expect: config-missing-field advisory
    _target_: str = "torchrl.things.Layer"


@dataclass
class NetConfig(ConfigBase):
    layer: LayerConfig | None = None
    _target_: str = "torchrl.things.Net"
