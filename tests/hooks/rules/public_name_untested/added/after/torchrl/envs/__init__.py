from torchrl.envs.common import EnvBase
from torchrl.envs.extra import Mode, MovedEnv, NewEnv, OldEnv, TestedEnv, make_env

__all__ = ["EnvBase", "Mode", "MovedEnv", "NewEnv", "OldEnv", "TestedEnv", "make_env"]
