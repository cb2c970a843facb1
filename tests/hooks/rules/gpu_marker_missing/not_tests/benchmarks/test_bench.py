from __future__ import annotations

import pytest
import torch


@pytest.mark.skipif(not torch.cuda.is_available(), reason="benchmarks use no marker filter")
def test_speed(benchmark):
    ...
