from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import torch

_has_ray = importlib.util.find_spec("ray") is not None


def start():
    if not _has_ray:
        raise ImportError("ray is needed")
    import ray

    return ray, torch


def typed():
    if TYPE_CHECKING:
        import json
    return None
