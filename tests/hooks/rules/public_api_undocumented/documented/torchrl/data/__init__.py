from collections import OrderedDict

import torch

from torchrl.data.box import Box

OldBox = type("OldBox", Box.__bases__, dict(Box.__dict__))
LIMIT = 3
Tensor = torch.Tensor

__all__ = ["Box", "LIMIT", "OldBox", "OrderedDict", "Tensor"]
