from __future__ import annotations

import importlib.util

import pytest

_has_gym = importlib.util.find_spec("gym") is not None


@pytest.mark.skipif(not _has_gym, reason="gym")
def test_b():
    import gym

    assert gym
