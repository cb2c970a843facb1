from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class OldEnv:
    pass


class MovedEnv:
    pass


class NewEnv:  # expect: public-name-untested warning
    pass


class TestedEnv:
    pass


class Unexported:
    pass


class Mode(Enum):
    A = 1


@dataclass
class LoadResult:
    step: int


@dataclass
class Loader:  # expect: public-name-untested
    step: int

    def load(self):
        return LoadResult(self.step)


class Part:
    def run(self):
        return 1


class TestedEnvPart(Part):
    pass


def make_env():  # expect: public-name-untested
    return NewEnv()
