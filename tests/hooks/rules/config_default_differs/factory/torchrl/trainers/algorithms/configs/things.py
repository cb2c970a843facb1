from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


from torchrl.things import Loss, OtherLoss


# Compared with the class of the default way; gamma never reaches it, so the factory's default counts.
@dataclass
class LossConfig(ConfigBase):
    other: bool = True
    alpha: float = 2.0
    gamma: float = 0.9  # expect: config-default-differs advisory
    _target_: str = "torchrl.trainers.algorithms.configs.things._make_loss"


def _make_loss(*args, **kwargs) -> Loss:
    gamma = kwargs.pop("gamma", 0.99)
    if kwargs.pop("other", True):
        return OtherLoss(**kwargs).estimate(gamma)
    return Loss(**kwargs).estimate(gamma)
