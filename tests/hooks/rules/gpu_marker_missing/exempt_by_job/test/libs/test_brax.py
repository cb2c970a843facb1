from __future__ import annotations

import pytest
import torch


class TestBrax:
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
    def test_in_its_own_job(self):
        ...


class TestOther:
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
    def test_in_no_other_job(self):  # expect: gpu-marker-missing error
        ...
