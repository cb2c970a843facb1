from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


class ConfigBase:
    pass


# in_keys would be taken for a spec.
@dataclass
class PrimerConfig(ConfigBase):
    primers: Any = None
    shape: Any = None
    in_keys: Any = None  # expect: config-unknown-field error
    _target_: str = "torchrl.things.Primer"
