from __future__ import annotations

import torch


def device():
    if hasattr(torch, "get_default_device"):  # expect: label-ci-olddeps advisory
        return torch.get_default_device()
    return None
