from __future__ import annotations

import pytest
import torch

cuda_only = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")


def make_env():
    return object()


@pytest.fixture
def start_method():
    return "spawn" if torch.cuda.is_available() else "fork"


@pytest.mark.gpu
@cuda_only
def test_no_device(start_method):  # expect: gpu-marker-overbroad warning
    """Once there was a bug on cuda."""
    assert make_env() is not None  # not on a device


@pytest.mark.gpu
@cuda_only
def test_only_skips(device):  # expect: gpu-marker-overbroad warning
    pytest.skip("no inverse")
