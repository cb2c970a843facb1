from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


from torchrl.things import Large, Small


@dataclass
class OneConfig(ConfigBase):
    """Hydra configuration for :class:`~torchrl.things.One`."""

    _target_: str = "torchrl.things.One"


@dataclass
class TwoConfig(ConfigBase):  # expect: config-cross-reference warning
    """Configuration for Two."""

    _target_: str = "torchrl.things.Two"


@dataclass
class ThreeConfig(ConfigBase):  # expect: config-cross-reference warning
    """Hydra configuration for :class:`torchrl.things.Three`."""

    _target_: str = "torchrl.things.Three"


# Any class of a family will do, on both sides.
@dataclass
class SizeConfig(ConfigBase):
    """Builds a :class:`~torchrl.things.Small` or something larger."""

    large: bool = False
    _target_: str = "torchrl.trainers.algorithms.configs.things._make_size"


def _make_size(*args, **kwargs) -> Small:
    if kwargs.pop("large", False):
        return Large()
    return Small()


@dataclass
class ParentConfig(ConfigBase):
    size: int = 1
