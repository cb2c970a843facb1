from __future__ import annotations

import torch


def test_compile():  # expect: label-ci-olddeps advisory
    assert torch.compile(len)
