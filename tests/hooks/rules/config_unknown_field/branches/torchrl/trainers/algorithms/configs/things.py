from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


from torchrl.things import Clip, DiscreteLoss, Loss, Penalty


# action_space goes to Loss, too, by default; value to DiscreteLoss.
@dataclass
class LossConfig(ConfigBase):
    actor: Any = None
    value: Any = None  # expect: config-unknown-field error
    discrete: bool = False
    action_space: Any = None  # expect: config-unknown-field error
    alpha: float = 1.0
    gamma: float | None = None
    _target_: str = "torchrl.trainers.algorithms.configs.things._make_loss"


def _make_loss(*args, **kwargs) -> Loss:
    discrete = kwargs.pop("discrete", False)
    gamma = kwargs.pop("gamma", None)
    actor = kwargs.get("actor")
    if actor is not None and hasattr(actor, "_target_"):
        kwargs["actor"] = actor()
    if discrete:
        loss = DiscreteLoss(*args, **kwargs)
    else:
        loss = Loss(*args, **kwargs)
    if gamma is not None:
        loss.make_value_estimator(gamma=gamma)
    return loss


# Keys taken out in loops over constants and unions of them.
@dataclass
class FamilyConfig(ConfigBase):
    kind: str = "clip"
    epsilon: float = 0.2
    beta: float = 1.0
    target: float = 0.01
    reward_key: Any = None
    done_key: Any = None
    _target_: str = "torchrl.trainers.algorithms.configs.things._make_family"


def _make_family(*args, **kwargs) -> Clip:
    keys = {}
    for key in ("reward_key", "done_key"):
        if key in kwargs:
            keys[key] = kwargs.pop(key)
    kind = kwargs.pop("kind", "clip")
    clip_only = {"epsilon"}
    penalty_only = {"beta"} | {"target"}
    if kind == "clip":
        for key in penalty_only:
            kwargs.pop(key, None)
        loss = Clip(*args, **kwargs)
    elif kind == "penalty":
        for key in clip_only:
            kwargs.pop(key, None)
        loss = Penalty(*args, **kwargs)
    else:
        raise ValueError(kind)
    loss.set_keys(**keys)
    return loss


# A factory of named parameters.
@dataclass
class NamedConfig(ConfigBase):
    epsilon: float = 0.2
    scale: float = 1.0  # expect: config-unknown-field error
    _target_: str = "torchrl.trainers.algorithms.configs.things.make_named"


def make_named(epsilon: float = 0.2) -> Clip:
    return Clip(epsilon=epsilon)
