from torchrl.envs.parts.one import A
from torchrl.envs.parts.two import B, C

__all__ = ["A", "B", "C"]
