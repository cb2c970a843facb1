from __future__ import annotations

import pytest
import torch

requires_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
gpu_only = [pytest.mark.gpu, requires_cuda]


def requires(count):
    return pytest.mark.skipif(torch.cuda.device_count() < count, reason="needs devices")
