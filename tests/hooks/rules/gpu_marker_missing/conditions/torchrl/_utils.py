from __future__ import annotations

import torch


def has_mps():
    return torch.backends.mps.is_available()
