from __future__ import annotations

import torch
from torchrl.configs import *  # noqa: F403  # expect: wildcard-import

X = make_env() + torch.zeros(1)
