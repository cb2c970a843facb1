import importlib.util

import pytest
import torch

_has_tv = importlib.util.find_spec("torchvision") is not None

pytestmark = pytest.mark.gpu


@pytest.mark.slow
class TestCrop:
    def test_corner(self):
        assert _has_tv

    @pytest.mark.skipif(not _has_tv, reason="no torchvision")
    def test_large(self):
        assert _has_tv


class TestResize:
    def test_half(self):
        assert _has_tv
