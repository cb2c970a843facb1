from __future__ import annotations

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


def make_env():  # expect: public-name-untested
    return NewEnv()
