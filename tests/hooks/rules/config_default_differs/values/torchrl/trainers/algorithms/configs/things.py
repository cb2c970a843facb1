from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


from functools import partial


@dataclass
class LayerConfig(ConfigBase):
    _target_: str = "torch.nn.Linear"
    _partial_: bool = False


@dataclass
class SameConfig(ConfigBase):
    required: Any = None
    size: int = 1024
    rate: float = 1.0
    shape: Any = (1, 2)
    kind: str = "RANDOM"
    options: dict[str, Any] = field(default_factory=dict)
    layer: LayerConfig = field(default_factory=partial(LayerConfig, _target_="torch.nn.Linear", _partial_=True))
    low: float = 1000
    mark: Any = None
    steps: int = 4
    seed: int = 7
    filled: Any = None
    made: Any = field(default_factory=list)
    computed: int = 5
    _target_: str = "torchrl.things.Same"

    def __post_init__(self):
        if self.filled is None:
            self.filled = "x"


@dataclass
class OtherConfig(SameConfig):
    required: Any = MISSING
    steps: int = 4  # expect: config-default-differs error
    layer: LayerConfig = field(default_factory=partial(LayerConfig, _target_="torch.nn.Tanh"))  # expect: config-default-differs error
    kind: str = "MODE"  # expect: config-default-differs error
    _target_: str = "torchrl.things.Other"
