import importlib.util

import pytest
import torch

_has_tv = importlib.util.find_spec("torchvision") is not None


@pytest.mark.skipif(not _has_tv, reason="no torchvision")
def test_corner():
    assert True


@pytest.mark.skip(reason="broken")
def test_edge():
    assert True


@pytest.mark.flaky(reruns=3)
@pytest.mark.xfail
def test_middle():
    assert True


@pytest.mark.gpu
def test_device():
    assert True
