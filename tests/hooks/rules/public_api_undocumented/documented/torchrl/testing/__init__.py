from torchrl.testing.utils import helper

__all__ = ["helper"]
