from __future__ import annotations

from torchrl.configs.all import EnvConfig, make_env

__all__ = ["EnvConfig", "make_env"]
