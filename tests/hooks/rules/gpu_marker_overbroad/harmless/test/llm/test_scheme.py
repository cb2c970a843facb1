from __future__ import annotations

import pytest
import torch


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
class TestScheme:
    def test_numbers(self):  # expect: gpu-marker-overbroad advisory
        assert dict(num_gpus=1)["num_gpus"] == 1
