from torchrl.data.things import Good

__all__ = ["Good"]
