import importlib.util

import pytest
import torch

_has_tv = importlib.util.find_spec("torchvision") is not None


@pytest.mark.slow
class TestCrop:
    def test_corner(self):  # expect: lost-mark warning
        assert _has_tv

    @pytest.mark.gpu
    @pytest.mark.skipif(not _has_tv, reason="torchvision is missing")
    def test_large(self):
        assert _has_tv
