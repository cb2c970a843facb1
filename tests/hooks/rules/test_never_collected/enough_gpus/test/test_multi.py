import pytest
import torch


@pytest.mark.gpu
@pytest.mark.skipif(torch.cuda.device_count() < 4, reason="needs four")
def test_four():
    pass
