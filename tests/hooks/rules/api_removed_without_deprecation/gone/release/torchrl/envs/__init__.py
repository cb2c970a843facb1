from torchrl.envs.common import EnvBase
from torchrl.envs.old import (
    Collector,
    Mode,
    RandomPolicy,
    symlog,
)

__all__ = ["EnvBase", "Collector", "Mode", "RandomPolicy", "symlog"]
