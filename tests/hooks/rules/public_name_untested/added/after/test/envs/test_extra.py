from __future__ import annotations

from torchrl.envs import TestedEnv, TestedEnvPart


def test_it():
    assert TestedEnv() and TestedEnvPart()
