from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


from torchrl.things import Trainer


@dataclass
class ParentConfig(ConfigBase):
    frames: int = MISSING
    placeholder: Any = None  # expect: config-factory-drops-field warning
    backend: Any = None  # expect: config-factory-drops-field error
    _target_: str = "torchrl.trainers.algorithms.configs.things._make_parent"


def _make_parent(*args, **kwargs) -> Trainer:
    frames = kwargs.pop("frames")
    backend = kwargs.pop("backend", None)
    kwargs.pop("placeholder", None)
    return Trainer(frames=frames, backend=backend)


# backend is the parent's field, and this factory never pops it; rate is popped and never looked at.
@dataclass
class ChildConfig(ParentConfig):
    rate: float = 1.0  # expect: config-factory-drops-field error
    _target_: str = "torchrl.trainers.algorithms.configs.things._make_child"


def _make_child(*args, **kwargs) -> Trainer:
    frames = kwargs.pop("frames")
    rate = kwargs.pop("rate", 1.0)
    kwargs.pop("placeholder", None)
    return Trainer(frames=frames)
