from torchrl.envs.extra import OldEnv

__all__ = ["OldEnv"]
