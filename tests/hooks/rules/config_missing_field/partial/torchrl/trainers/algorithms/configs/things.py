from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


# The first argument comes when the partial is called.
@dataclass
class UpdaterConfig(ConfigBase):
    eps: Any = None
    _target_: str = "torchrl.things.Updater"
    _partial_: bool = True


@dataclass
class WholeConfig(ConfigBase):  # expect: config-missing-field error
    eps: Any = None
    _target_: str = "torchrl.things.Updater"
