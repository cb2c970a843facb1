from __future__ import annotations

import unittest

import pytest
import torch
from torchrl._utils import has_mps


@pytest.mark.skipif(not torch.cuda.device_count(), reason="no cuda device")
def test_device_count():  # expect: gpu-marker-missing error
    ...


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two devices")
def test_two_devices():  # expect: gpu-marker-missing error
    ...


@pytest.mark.skipif(torch.cuda.device_count() == 0, reason="no cuda device")
def test_count_is_zero():  # expect: gpu-marker-missing error
    ...


@pytest.mark.skipif(1 > torch.cuda.device_count(), reason="no cuda device")
def test_mirrored():  # expect: gpu-marker-missing error
    ...


@pytest.mark.skipif(not torch.cuda.is_available() and not has_mps(), reason="needs an accelerator")
def test_cuda_or_mps():  # expect: gpu-marker-missing error
    ...


@pytest.mark.skipif(not torch.cuda.is_available() or torch.cuda.get_device_capability()[0] < 8, reason="needs Ampere")
def test_capability():  # expect: gpu-marker-missing error
    ...


@pytest.mark.skipif("not torch.cuda.is_available()", reason="a condition in a string")
def test_string():  # expect: gpu-marker-missing error
    ...


@pytest.mark.skipif(condition=not torch.cuda.is_available(), reason="a condition by keyword")
def test_keyword():  # expect: gpu-marker-missing error
    ...


@unittest.skipUnless(torch.cuda.is_available(), "needs CUDA")
def test_unittest():  # expect: gpu-marker-missing error
    ...


@pytest.mark.skipif(torch.cuda.is_available(), reason="for hosts without CUDA")
def test_the_opposite():
    ...


@pytest.mark.skipif(torch.__version__ < "2.5", reason="needs a newer torch")
def test_version():
    ...


@pytest.mark.skipif(True, reason="broken everywhere")
def test_skipped_everywhere():
    ...


@pytest.mark.xfail(not torch.cuda.is_available(), reason="not a gate")
def test_xfail():
    assert torch.cuda.is_available()


# @pytest.mark.skipif(not torch.cuda.is_available(), reason="commented out")
def test_commented_out():
    ...
