from __future__ import annotations

from dataclasses import dataclass

from torchrl.objectives.common import LossModule


class NoKeysLoss(LossModule):  # expect: objective-accepted-keys error
    def forward(self, tensordict):
        return tensordict.get("action")


class BCLoss(LossModule):
    @dataclass
    class _AcceptedKeys:
        """Its keys."""

        action: str = "action"
        reward: str = "reward"  # expect: objective-accepted-keys warning

    def forward(self, tensordict):
        """Not self.tensor_keys.nothing."""
        return tensordict.get(self.tensor_keys.action) - tensordict.get(self.tensor_keys.value)  # expect: objective-accepted-keys error
