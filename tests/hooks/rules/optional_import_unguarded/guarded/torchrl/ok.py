from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING

import numpy as np
import torch
import typing_extensions
from functorch import vmap
from tensordict import TensorDict

_HAS_VLLM = importlib.util.find_spec("vllm") is not None
_has_gym = importlib.util.find_spec("gym") is not None
_has_mjx = _has_gym and importlib.util.find_spec("gym.envs") is not None
_has_scan = importlib.util.find_spec("torch.utils.data") is not None

if TYPE_CHECKING:
    import wandb
    from vllm import LLM
elif _HAS_VLLM:
    import vllm
else:
    vllm = None

if not TYPE_CHECKING and _has_gym:
    import gym

try:
    import mlflow
except ImportError:
    import mlflow_skinny as mlflow

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib
