from torchrl.envs.common import EnvBase
from torchrl.envs.parallel import ParallelEnv, SerialEnv

__all__ = ["EnvBase", "ParallelEnv", "SerialEnv"]
