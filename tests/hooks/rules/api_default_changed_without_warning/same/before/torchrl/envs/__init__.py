from torchrl.envs.old import Announced, Storage, Widget

__all__ = ["Announced", "Storage", "Widget"]
