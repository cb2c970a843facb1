from torchrl.envs.common import EnvBase

__all__ = ["EnvBase"]
