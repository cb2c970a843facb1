from torchrl.data.boxes import Box, Lid

__all__ = ["Box", "Lid"]
