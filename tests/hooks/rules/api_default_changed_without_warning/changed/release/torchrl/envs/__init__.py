from torchrl.envs.old import Config, Storage, symlog

__all__ = ["Config", "Storage", "symlog"]
