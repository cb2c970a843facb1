import pytest
import torch


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
def test_old():
    assert torch.ones(1, device="cuda")
