from __future__ import annotations

from torchrl.envs import TestedEnv


def test_it():
    assert TestedEnv()
