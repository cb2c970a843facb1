from torchrl.envs.common import Closed, EnvBase

__all__ = ["Closed", "EnvBase"]
