import importlib.util

import pytest
import torch

_has_tv = importlib.util.find_spec("torchvision") is not None


class TestResize:
    @pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
    def test_half(self, device):
        assert _has_tv
