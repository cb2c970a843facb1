from torchrl.data.things import *

__all__ = ["Here", "Never"]
