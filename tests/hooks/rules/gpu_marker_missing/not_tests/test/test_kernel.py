from __future__ import annotations

import pytest
import torch


@pytest.mark.skipif(not torch.cuda.is_available(), reason="not a test")
def make_device():
    ...


class Helper:
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="not collected")
    def test_nothing(self):
        ...
