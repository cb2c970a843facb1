import importlib.util

import pytest
import torch

_has_tv = importlib.util.find_spec("torchvision") is not None


@pytest.mark.skipif(not _has_tv, reason="no torchvision")
class TestResize:
    def test_half(self):
        assert _has_tv


class TestCrop:
    def test_corner(self):  # expect: lost-mark warning
        assert _has_tv

    @pytest.mark.slow
    def test_large(self):  # expect: lost-mark warning
        assert _has_tv
