from torchrl.envs.common import EnvBase
from torchrl.envs.twin import Twin

__all__ = ["EnvBase", "Twin"]
