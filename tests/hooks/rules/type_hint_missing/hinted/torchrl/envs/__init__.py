from torchrl.envs.common import EnvBase
from torchrl.envs.hinted import Child, Env, Grandchild

__all__ = ["Child", "Env", "EnvBase", "Grandchild"]
