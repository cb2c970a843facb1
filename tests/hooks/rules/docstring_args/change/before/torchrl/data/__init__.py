from torchrl.data.things import Old, Grown

__all__ = ["Old","Grown"]
