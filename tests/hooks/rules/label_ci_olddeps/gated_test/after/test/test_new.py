from __future__ import annotations

import torch
import pytest

OLD = True


@pytest.mark.skipif(TORCH_VERSION < "2.5", reason="old")  # expect: label-ci-olddeps advisory
def test_compile():
    assert torch.compile(len)


def test_plain():
    assert torch.zeros(1)
