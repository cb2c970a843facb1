from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


from torchrl.things import Large, Operator, Small, Trainer


# Closed keywords: a parameter that is not listed needs a field, a pop and a keyword; stepper is made here.
@dataclass
class TrainerConfig(ConfigBase):  # expect: config-missing-field error
    frames: int = MISSING
    kind: str = "random"
    _target_: str = "torchrl.trainers.algorithms.configs.things._make_trainer"


def _make_trainer(*args, **kwargs) -> Trainer:
    return _make_any_trainer(Trainer, *args, **kwargs)


def _make_any_trainer(trainer_cls, *args, **kwargs):
    frames = kwargs.pop("frames")
    kind = kwargs.pop("kind", "random")
    trainer = trainer_cls(frames=frames, stepper=object(), sampling=kind)
    return trainer


# Named parameters, and a class for each size.
@dataclass
class SizeConfig(ConfigBase):  # expect: config-missing-field error
    size: str = "small"
    width: int = 1
    _target_: str = "torchrl.trainers.algorithms.configs.things.make_size"


def make_size(size: str = "small", **kwargs):
    if size == "small":
        return Small(**kwargs)
    elif size == "large":
        return Large(**kwargs)
    raise ValueError(size)


# network becomes the module by position.
@dataclass
class OperatorConfig(ConfigBase):
    network: Any = MISSING
    in_keys: Any = None
    out_keys: Any = None
    _target_: str = "torchrl.trainers.algorithms.configs.things._make_operator"


def _make_operator(*args, **kwargs) -> Operator:
    network = kwargs.pop("network")
    operator = Operator(network(), **kwargs)
    return operator
