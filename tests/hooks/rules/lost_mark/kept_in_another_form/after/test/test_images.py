import importlib.util

import pytest
import torch

_has_torchvision = importlib.util.find_spec("torchvision") is not None
pytestmark = [pytest.mark.slow, pytest.mark.gpu]


@pytest.fixture
def vision():
    if not _has_torchvision:
        pytest.skip("no torchvision")


@pytest.mark.skipif(not (_has_torchvision and torch.cuda.is_available()), reason="no torchvision, or no CUDA")
def test_joined():
    assert _has_torchvision


@pytest.mark.skipif(not _has_torchvision, reason="no torchvision")
def test_renamed_condition():
    assert _has_torchvision


def test_in_the_body():
    if not _has_torchvision:
        pytest.skip("no torchvision")
    assert _has_torchvision


class TestCrop:
    def test_from_class_to_module(self):
        assert _has_torchvision

    def test_by_a_fixture(self, vision):
        assert _has_torchvision
