from torchrl.envs.common import EnvBase
from torchrl.envs.a import A, B, C

__all__ = ["A", "B", "C", "EnvBase"]

