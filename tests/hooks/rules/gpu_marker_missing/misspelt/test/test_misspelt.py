from __future__ import annotations

import pytest
import torch


@pytest.mark.gpus
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
def test_kernel():  # expect: gpu-marker-missing error
    ...
