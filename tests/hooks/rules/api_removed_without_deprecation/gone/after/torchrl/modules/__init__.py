from torchrl.envs.old import RandomPolicy

__all__ = ["RandomPolicy"]
