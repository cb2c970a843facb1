from torchrl.envs.common import EnvBase
from torchrl.envs.parallel import AsyncEnv, ParallelEnv, SerialEnv, _Worker, gather

__all__ = ["AsyncEnv", "EnvBase", "ParallelEnv", "SerialEnv", "_Worker", "gather"]
