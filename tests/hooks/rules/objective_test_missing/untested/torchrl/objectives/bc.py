from __future__ import annotations

from torchrl.objectives.common import LossModule


class BCLoss(LossModule):  # expect: objective-test-missing warning
    pass


class _PrivateLoss(LossModule):
    pass
