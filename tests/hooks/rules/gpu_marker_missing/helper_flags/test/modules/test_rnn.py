from __future__ import annotations

import pytest
import torch
from _again import HAS_TRITON
from _modules_common import _has_cuda, _has_gym, _has_kernels, _has_triton, _has_triton_package


def _needs(count):
    return torch.cuda.device_count() >= count


class TestGRU:
    @pytest.mark.skipif(not _has_triton, reason="triton")
    def test_flag(self):  # expect: gpu-marker-missing error
        ...

    @pytest.mark.skipif(not HAS_TRITON, reason="triton")
    def test_two_hops(self):  # expect: gpu-marker-missing error
        ...

    @pytest.mark.skipif(not _has_kernels, reason="kernels")
    def test_try_except(self):  # expect: gpu-marker-missing error
        ...

    @pytest.mark.skipif(not _has_cuda, reason="CUDA")
    def test_assigned_under_if(self):  # expect: gpu-marker-missing error
        ...

    @pytest.mark.skipif(not _needs(2), reason="two devices")
    def test_helper_with_argument(self):  # expect: gpu-marker-missing error
        ...

    @pytest.mark.skipif(not _has_triton_package, reason="the package alone")
    def test_package(self):
        ...

    @pytest.mark.skipif(not _has_gym, reason="gym")
    def test_gym(self):
        ...

    def test_patched(self, monkeypatch):
        monkeypatch.setattr("torchrl.modules._has_triton", False)

    def test_keyword_like_the_flag(self):
        assert dict(_has_triton=False)
