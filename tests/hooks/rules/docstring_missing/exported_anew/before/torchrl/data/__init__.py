from torchrl.data.things import Old

__all__ = ["Old"]
