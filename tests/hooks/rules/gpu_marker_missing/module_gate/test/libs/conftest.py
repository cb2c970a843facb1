from __future__ import annotations

import pytest
import torch

# pytest reads no marks from a conftest.py.
pytestmark = [pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")]
