from .part import Thing, helper

__all__ = ["Thing", "helper"]
