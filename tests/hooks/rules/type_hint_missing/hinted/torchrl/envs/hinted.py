from __future__ import annotations

from typing import overload

from torchrl.envs.elsewhere import Base


class Env:
    def __init__(self, name: str) -> None:
        self.name = name

    @overload
    def get(self, key): ...

    def get(self, key: str) -> str:
        return key

    @property
    def seed(self) -> int:
        return 0

    @seed.setter
    def seed(self, value):
        pass

    def step(self, action: int) -> int:
        return action

    def _reset(self, options):
        return options


class Child(Env):
    def step(self, action):
        return action


class Grandchild(Base):
    def step(self, action):
        return action


def not_exported(x):
    return x
