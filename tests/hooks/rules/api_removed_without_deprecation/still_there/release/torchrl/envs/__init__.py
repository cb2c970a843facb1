from torchrl.envs.common import EnvBase
from torchrl.envs.old import (
    Aliased,
    Announced,
    Lazy,
    LegacyAlias,
    Made,
    Moved,
    PPOTrainer,
    TableLazy,
    _private,
    fallback,
)

__all__ = [
    "Aliased",
    "Announced",
    "EnvBase",
    "Lazy",
    "LegacyAlias",
    "Made",
    "Moved",
    "PPOTrainer",
    "TableLazy",
    "_private",
    "fallback",
]
