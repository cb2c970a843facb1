from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


from torchrl.things import DiscreteLoss, Loss


# Popped before the class that refuses it, also after an early return.
@dataclass
class RightConfig(ConfigBase):
    actor: Any = None
    value: Any = None
    discrete: bool = False
    action_space: Any = None
    alpha: float = 1.0
    gamma: float | None = None
    _target_: str = "torchrl.trainers.algorithms.configs.right._make_right"


def _make_right(*args, **kwargs) -> Loss:
    kwargs.pop("gamma", None)
    if kwargs.pop("discrete", False):
        kwargs.pop("value", None)
        return DiscreteLoss(*args, **kwargs)
    kwargs.pop("action_space", None)
    return Loss(*args, **kwargs)
