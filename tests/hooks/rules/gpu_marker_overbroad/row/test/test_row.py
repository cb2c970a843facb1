from __future__ import annotations

import pytest
import torch


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_cpu_row(device):  # expect: gpu-marker-overbroad warning
    assert torch.zeros(1, device=device).sum() == 0


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_from_cuda_to_row(device):
    assert torch.zeros(1, device="cuda").to(device).sum() == 0
