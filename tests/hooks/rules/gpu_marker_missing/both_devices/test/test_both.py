from __future__ import annotations

import pytest
import torch
from torchrl.testing import get_available_devices, get_default_devices


@pytest.mark.parametrize("device", get_default_devices())
def test_default(device):
    if device.type == "cuda":
        assert torch.cuda.is_available()


@pytest.mark.parametrize("device", get_available_devices())
class TestAvailable:
    def test_available(self, device):
        ...


@pytest.mark.parametrize("device", ["cpu"] + [f"cuda:{i}" for i in range(torch.cuda.device_count())])
def test_list(device):
    ...


@pytest.mark.parametrize("cudagraph", [False, True] if torch.cuda.is_available() else [False])
def test_choice_of_rows(cudagraph):
    ...


def test_conditional():
    device = torch.device("cpu") if torch.cuda.device_count() == 0 else torch.device("cuda")
    assert torch.zeros(1, device=device).sum() == 0
