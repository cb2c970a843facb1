from __future__ import annotations

import pytest
import torch
from pyvers import implement_for


class TestVersions:
    @implement_for("gym", None, "0.18")
    @pytest.mark.gpu
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
    def test_render(self):
        ...

    @implement_for("gym", "0.18")
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
    def test_render(self):  # expect: gpu-marker-missing error
        ...
