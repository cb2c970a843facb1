from torchrl.data.module import Thing, helper

__all__ = ["Thing", "helper"]
