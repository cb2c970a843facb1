from torchrl.envs.common import EnvBase
from torchrl.envs.old import (
    Collector,
    Mode,
    symlog,  # expect: api-removed-without-deprecation error
)

__all__ = ["EnvBase", "Collector", "Mode", "symlog"]
