from torchrl.data.box import Box

__all__ = ["Box"]
