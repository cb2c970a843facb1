from __future__ import annotations

import importlib.util

from torchrl._middle import brax

if importlib.util.find_spec("jumanji") is not None:
    from torchrl._lazy import jumanji


def late():
    from torchrl._lazy import jumanji

    return jumanji


def __getattr__(name):
    from torchrl import _on_demand

    return getattr(_on_demand, name)
