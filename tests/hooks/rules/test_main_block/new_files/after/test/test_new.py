from __future__ import annotations

import pytest
import torch


@pytest.mark.parametrize("x", [1])
def test_new(x):
    assert torch.ones(x)  # expect: test-main-block error
