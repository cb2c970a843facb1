from __future__ import annotations

import pytest
import torch
from packaging import version


@pytest.mark.skipif(version.parse(torch.__version__) < version.parse("2.4"), reason="old")
def test_new():
    assert True
