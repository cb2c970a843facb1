from enum import Enum

from torch import nn

SIZE = 2 * 512
_UNSET = object()


class Kind(Enum):
    RANDOM = 1
    MODE = 2


DEFAULT = Kind.RANDOM


class Same:
    def __init__(
        self, required, size=SIZE, rate=1, shape=[1, 2], kind=DEFAULT, options=None, layer=nn.Linear, low=1e3,
        mark=_UNSET, steps=None, seed=None, filled="x", made=None, computed=len("abc"),
    ):
        self.steps = self._default_steps if steps is None else steps
        self.seed = seed if seed is not None else 7

    _default_steps = 4


class Other(Same):
    _default_steps = 8
