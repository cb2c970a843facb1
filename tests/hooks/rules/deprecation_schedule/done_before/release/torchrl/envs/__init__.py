from torchrl.envs.common import EnvBase
from torchrl.envs.old import Due, Early

__all__ = ["EnvBase", "Due", "Early"]
