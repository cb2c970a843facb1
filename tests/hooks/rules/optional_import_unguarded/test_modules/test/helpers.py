from __future__ import annotations

import gym


def make():
    return gym
