import importlib.util

import pytest
import torch

_has_tv = importlib.util.find_spec("torchvision") is not None


@pytest.mark.skipif(not _has_tv, reason="no torchvision")
class TestCrop:
    def test_corner(self):
        assert _has_tv

    @pytest.mark.slow
    def test_large(self):
        assert _has_tv
