from torchrl.envs.old import ListStorage, make_composite, order

__all__ = ["ListStorage", "make_composite", "order"]
