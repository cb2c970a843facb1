from __future__ import annotations

from torchrl.envs.round import Base
