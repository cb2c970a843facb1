from __future__ import annotations

import pytest
import torch

cuda_only = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")


@pytest.mark.parametrize(
    "device",
    [
        "cpu",
        pytest.param(
            "cuda",
            marks=[
                # CI has it on GPU hosts.
                pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA"),
            ],
        ),
    ],
)
def test_list(device):  # expect: gpu-marker-missing error
    ...


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=cuda_only)])
def test_single(device):  # expect: gpu-marker-missing error
    ...


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=[cuda_only])])
class TestRows:
    def test_row(self, device):  # expect: gpu-marker-missing error
        ...


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=[pytest.mark.gpu, cuda_only])])
def test_marked_row(device):
    ...


@cuda_only
@pytest.mark.parametrize("size", [pytest.param(1, marks=pytest.mark.gpu), pytest.param(2, marks=pytest.mark.gpu)])
def test_every_row_marked(size):
    ...
