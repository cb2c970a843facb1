from __future__ import annotations

from torchrl.objectives.common import LossModule


class BCLoss(LossModule):
    pass


class LazyLoss(LossModule):
    pass
