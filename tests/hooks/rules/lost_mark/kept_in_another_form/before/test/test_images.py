import importlib.util

import pytest
import torch

_has_tv = importlib.util.find_spec("torchvision") is not None

_needs_tv = pytest.mark.skipif(not _has_tv, reason="no torchvision")


@pytest.mark.skipif(not _has_tv, reason="no torchvision")
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA")
def test_joined():
    assert _has_tv


@_needs_tv
def test_renamed_condition():
    assert _has_tv


@_needs_tv
def test_in_the_body():
    assert _has_tv


@pytest.mark.slow
@pytest.mark.gpu
class TestCrop:
    def test_from_class_to_module(self):
        assert _has_tv

    @_needs_tv
    def test_by_a_fixture(self):
        assert _has_tv
