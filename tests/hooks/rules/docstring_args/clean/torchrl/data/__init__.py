from torchrl.data.things import InInit

__all__ = ["InInit"]
