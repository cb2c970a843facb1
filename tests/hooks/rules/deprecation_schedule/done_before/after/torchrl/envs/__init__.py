from torchrl.envs.common import EnvBase
# expect: deprecation-schedule error

__all__ = ["EnvBase"]
