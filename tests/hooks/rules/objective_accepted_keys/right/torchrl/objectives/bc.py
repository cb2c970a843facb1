from __future__ import annotations

from dataclasses import dataclass

from torchrl.objectives.common import LossModule


class BCLoss(LossModule):
    @dataclass
    class _AcceptedKeys:
        action: str = "action"
        done: str = "done"

    def forward(self, tensordict):
        return tensordict.get(self.tensor_keys.action)

    def _forward_value_estimator_keys(self, **kwargs):
        self._value_estimator.set_keys(done=self.tensor_keys.done)


class WeightedBCLoss(BCLoss):
    def forward(self, tensordict):
        return 2 * tensordict.get(self.tensor_keys.action)
