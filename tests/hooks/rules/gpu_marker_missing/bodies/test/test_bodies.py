from __future__ import annotations

import unittest

import pytest
import torch
from pyvers import implement_for


@implement_for("torch", "2.5")
def has_mps():
    return torch.mps.is_available()


@implement_for("torch", None, "2.5")
def has_mps():
    return torch.backends.mps.is_available()


def test_else_arm():  # expect: gpu-marker-missing error
    size = 3
    if torch.cuda.is_available():
        device = "cuda"
    elif has_mps():
        device = "mps"
    else:
        pytest.skip("no accelerator")
    assert torch.zeros(size, device=device).sum() == 0


def test_early_return():  # expect: gpu-marker-missing error
    if not torch.cuda.is_available():
        return
    assert torch.zeros(1, device="cuda").sum() == 0


def test_local_flag():  # expect: gpu-marker-missing error
    has_cuda = torch.cuda.is_available()
    if not has_cuda:
        raise unittest.SkipTest("needs CUDA")


def test_cpu_first():
    assert torch.zeros(1).sum() == 0
    if not torch.cuda.is_available():
        return
    assert torch.zeros(1, device="cuda").sum() == 0


def test_cuda_block():
    assert torch.zeros(1).sum() == 0
    if torch.cuda.is_available():
        assert torch.zeros(1, device="cuda").sum() == 0


def test_other_skip():
    if not hasattr(torch, "vmap"):
        pytest.skip("needs vmap")


def test_literal_without_a_gate():
    assert str(torch.device("cuda")) == "cuda"


@pytest.mark.parametrize("dest", ["cpu", "cuda"])
def test_depends_on_a_row(dest):  # expect: gpu-marker-missing advisory
    if dest == "cuda" and not torch.cuda.is_available():
        pytest.skip("no cuda device")


@pytest.mark.parametrize(
    "dest",
    ["cpu", pytest.param("cuda", marks=[pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA")])],
)
def test_row_has_its_mark(dest):
    if dest == "cuda" and not torch.cuda.is_available():
        pytest.skip("no cuda device")


def test_loop():
    for device in ("cpu", "cuda"):
        if device == "cuda" and not torch.cuda.is_available():
            return
