from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


from torchrl.things import Module, Stepper, Trainer


def _register(trainer, hooks):
    for hook in hooks or ():
        hook.register(trainer)


# Used is what is looked at: in another object, a method, a helper, a fallback.
@dataclass
class TrainerConfig(ConfigBase):
    frames: int = MISSING
    delay: int = 2
    gamma: float | None = None
    hooks: Any = None
    optimizer: Any = None
    optimizer_actor: Any = None
    reward_key: Any = None
    _target_: str = "torchrl.trainers.algorithms.configs.things._make_trainer"


def _make_trainer(*args, **kwargs) -> Trainer:
    frames = kwargs.pop("frames")
    delay = kwargs.pop("delay", 2)
    gamma = kwargs.pop("gamma", None)
    hooks = kwargs.pop("hooks", None)
    optimizer = kwargs.pop("optimizer", None)
    optimizer_actor = kwargs.pop("optimizer_actor", None)
    if optimizer_actor is None:
        optimizer_actor = optimizer
    keys = {}
    for key in ("reward_key",):
        if key in kwargs:
            value = kwargs.pop(key)
            if value is not None:
                keys[key] = value
    trainer = Trainer(frames=frames, stepper=Stepper(delay, optimizer_actor))
    if gamma is not None:
        trainer.make_value_estimator(gamma=gamma)
    trainer.set_keys(**keys)
    _register(trainer, hooks)
    return trainer


@dataclass
class ModuleConfig(ConfigBase):
    network: Any = MISSING
    shared: bool = False
    _target_: str = "torchrl.trainers.algorithms.configs.things._make_module"


def _make_module(*args, **kwargs) -> Module:
    module = Module(kwargs.pop("network"))
    if kwargs.pop("shared", False):
        module = module.share_memory()
    return module
