from __future__ import annotations

import pytest
import torch
from torchrl.testing import get_default_devices


@pytest.mark.gpu
@pytest.mark.parametrize("device", get_default_devices())
def test_both(device):  # expect: gpu-marker-overbroad error
    assert torch.zeros(1, device=device).sum() == 0


@pytest.mark.parametrize("device", get_default_devices())
def test_unmarked(device):
    assert torch.zeros(1, device=device).sum() == 0


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="pinned memory needs CUDA")
@pytest.mark.parametrize("device", get_default_devices())
def test_gated_too(device):
    assert torch.zeros(1).pin_memory().to(device).sum() == 0
