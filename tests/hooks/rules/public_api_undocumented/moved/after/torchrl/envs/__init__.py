from torchrl.envs.common import EnvBase
from torchrl.envs.parts import A, B, C

__all__ = ["A", "B", "C", "EnvBase"]
