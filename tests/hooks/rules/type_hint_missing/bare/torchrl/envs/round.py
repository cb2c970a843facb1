from __future__ import annotations

from torchrl.envs.about import Base
