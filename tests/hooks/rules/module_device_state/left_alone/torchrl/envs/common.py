from __future__ import annotations

import torch.nn as nn


class EnvBase(nn.Module):
    def __init__(self, device=None):
        super().__init__()
        self.device = device


class BatchedEnv(EnvBase):
    def to(self, device):
        self._device = device
        return super().to(device)
