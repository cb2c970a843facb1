from torchrl.data.boxes.box import Box

__all__ = ["Box"]
