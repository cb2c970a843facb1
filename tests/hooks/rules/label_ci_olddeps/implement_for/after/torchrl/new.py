from __future__ import annotations

import torch
from torchrl._utils import implement_for


@implement_for("torch", "2.4")  # expect: label-ci-olddeps advisory
def f():
    return 1
