from torchrl.data.things import New, Old

__all__ = ["New", "Old"]
