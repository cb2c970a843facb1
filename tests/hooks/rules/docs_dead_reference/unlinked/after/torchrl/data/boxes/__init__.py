from torchrl.data.boxes.box import Box, Lid

__all__ = ["Box", "Lid"]
