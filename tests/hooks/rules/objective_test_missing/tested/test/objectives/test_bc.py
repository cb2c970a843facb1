from __future__ import annotations

from torchrl.objectives.bc import BCLoss

LOSSES = [BCLoss, "LazyLoss"]
