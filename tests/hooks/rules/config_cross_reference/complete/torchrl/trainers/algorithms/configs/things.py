from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


from torchrl.things import Loss


@dataclass
class LossConfig(ConfigBase):
    """Hydra configuration for :class:`~torchrl.things.Loss`."""

    actor: Any = None
    alpha: float = 1.0
    gamma: float | None = None
    _target_: str = "torchrl.trainers.algorithms.configs.things._make_loss"


def _make_loss(*args, **kwargs) -> Loss:
    gamma = kwargs.pop("gamma", None)
    loss = Loss(*args, **kwargs)
    if gamma is not None:
        loss.make_value_estimator(gamma=gamma)
    return loss
