from torchrl.data.things import Shown

__all__ = ["Shown"]
