from __future__ import annotations

import pytest
import torch

if torch.cuda.is_available():

    def test_function():  # expect: gpu-marker-missing error
        ...

    class TestClass:
        def test_method(self):  # expect: gpu-marker-missing error
            ...

else:

    def test_without_cuda():
        ...


class TestSetup:
    def setup_method(self):
        if not torch.cuda.is_available():
            pytest.skip("needs CUDA")

    def test_set_up(self):  # expect: gpu-marker-missing error
        ...


class TestOtherSetup:
    def setup_method(self):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"

    def test_set_up(self):
        ...


@pytest.mark.skipif(not torch.distributed.is_nccl_available(), reason="needs nccl")
def test_nccl():  # expect: gpu-marker-missing error
    ...


@pytest.mark.skipif(torch.version.cuda is None, reason="needs a CUDA build")
def test_cuda_build():  # expect: gpu-marker-missing error
    ...
