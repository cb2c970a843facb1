from torchrl.envs.around import Around
from torchrl.envs.bare import Env, make_env
from torchrl.envs.common import EnvBase

__all__ = ["Around", "Env", "EnvBase", "make_env"]
