from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


from torchrl.things import Clip, Plain


# Clip takes key through its **kwargs and does not get it; Plain takes no epsilon.
@dataclass
class FamilyConfig(ConfigBase):
    kind: str = "clip"
    actor: Any = None
    epsilon: float = 0.2
    key: Any = None  # expect: config-factory-drops-field error
    _target_: str = "torchrl.trainers.algorithms.configs.things._make_family"


def _make_family(*args, **kwargs) -> Clip:
    if kwargs.pop("kind", "clip") == "clip":
        kwargs.pop("key", None)
        return Clip(**kwargs)
    kwargs.pop("epsilon", None)
    return Plain(**kwargs)
