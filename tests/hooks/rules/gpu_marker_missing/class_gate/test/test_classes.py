from __future__ import annotations

import pytest
import torch


# Why this class is here.
@pytest.mark.filterwarnings("ignore")
# Why it is gated.
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
class TestGated:
    def test_one(self):  # expect: gpu-marker-missing error
        ...

    def test_two(self):  # expect: gpu-marker-missing error
        ...

    def helper(self):
        ...


class Mixin:
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
    def test_inherited(self):  # expect: gpu-marker-missing error
        ...


class TestUnmarked(Mixin):
    ...


@pytest.mark.gpu
class TestMarked(Mixin):
    ...


@pytest.mark.gpu
class Base:
    ...


class TestMarkedByBase(Base):
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
    def test_marked(self):
        ...
