from __future__ import annotations

import torch


def device():
    return torch.get_default_device()
