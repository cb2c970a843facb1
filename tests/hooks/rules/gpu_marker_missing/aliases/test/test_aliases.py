from __future__ import annotations

import pytest as pt
import torch
from _marks import gpu_only, requires, requires_cuda

own = pt.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")


@own
def test_own():  # expect: gpu-marker-missing error
    ...


@requires_cuda
def test_imported():  # expect: gpu-marker-missing error
    ...


@requires(2)
def test_returned_by_a_helper():  # expect: gpu-marker-missing error
    ...


@pt.mark.gpu
@requires_cuda
def test_marked():
    ...


class TestList:
    pytestmark = gpu_only

    def test_marked_by_a_list(self):
        ...
