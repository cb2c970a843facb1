from torchrl.data.things import Said

__all__ = ["Said"]
