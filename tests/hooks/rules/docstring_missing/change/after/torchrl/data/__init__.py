from torchrl.data.things import Old, New

__all__ = ["Old","New"]
