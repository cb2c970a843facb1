from __future__ import annotations

import pytest
import torch

cuda_only = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")


def make_module():
    return torch.nn.Linear(1, 1).to("cuda")


@pytest.mark.gpu
@cuda_only
def test_device_by_helper():
    assert make_module() is not None


@pytest.mark.gpu
@cuda_only
def test_accelerator_index():
    assert torch.device(0) is not None


@pytest.mark.gpu
@cuda_only
def test_pinned():
    assert torch.zeros(1).pin_memory().is_pinned()


@pytest.mark.gpu
@cuda_only
def test_extension():
    from torchrl._torchrl import CudaSumSegmentTreeFp32

    assert CudaSumSegmentTreeFp32(2)


@pytest.mark.gpu
@cuda_only
@pytest.mark.parametrize("device", ["cuda:0"])
def test_device_by_row(device):
    assert device


@pytest.mark.gpu
@cuda_only
def test_server(llm_server):
    assert llm_server.ready()
