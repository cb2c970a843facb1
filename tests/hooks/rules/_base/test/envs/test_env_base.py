from __future__ import annotations

import argparse

import pytest
import torch

from torchrl.envs import EnvBase
from torchrl.testing import get_default_devices


class TestEnvBase:
    @pytest.mark.parametrize("device", get_default_devices())
    def test_device(self, device):
        assert EnvBase(device=device).device == device

    @pytest.mark.gpu
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
    def test_cuda(self):
        assert EnvBase(device="cuda").device == "cuda"


if __name__ == "__main__":
    args, unknown = argparse.ArgumentParser().parse_known_args()
    pytest.main([__file__, "--capture", "no", "--exitfirst"] + unknown)
