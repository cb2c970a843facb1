"""The old name of torchrl.envs."""

from __future__ import annotations

import warnings

warnings.warn("torchrl.moved has become torchrl.envs.", category=DeprecationWarning)

from torchrl.envs import *  # noqa: F401, F403, E402
