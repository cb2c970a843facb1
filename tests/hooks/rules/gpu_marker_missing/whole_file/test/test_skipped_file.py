from __future__ import annotations

import pytest
import torch

if not torch.cuda.is_available():
    pytest.skip("needs CUDA", allow_module_level=True)


def test_gated():  # expect: gpu-marker-missing error
    ...
