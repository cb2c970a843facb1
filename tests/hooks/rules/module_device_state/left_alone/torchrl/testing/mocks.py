from __future__ import annotations

import torch


class MockTransformer(torch.nn.Module):
    """Has the attributes of the model that it stands for."""

    def __init__(self, device):
        super().__init__()
        self.device = device
