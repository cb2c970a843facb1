from __future__ import annotations

import importlib.util

import gym  # expect: optional-import-unguarded error
import pytest
import ray
import torch
import yaml
from helpers import make
from torchrl._utils import logger

_has_brax = importlib.util.find_spec("brax") is not None
if _has_brax:
    import brax

jax = pytest.importorskip("jax")
import jax.numpy as jnp


def test_inside():
    import mlflow

    assert mlflow
