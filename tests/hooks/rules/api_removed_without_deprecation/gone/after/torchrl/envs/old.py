from __future__ import annotations

from enum import Enum


class RandomPolicy:
    pass


class Mode(Enum):
    FAST = 1
    # expect: api-removed-without-deprecation error


class _Base:
    # expect: api-removed-without-deprecation error
    pass


class Collector(_Base):
    def __init__(self, env, frames, **kwargs):  # expect: api-removed-without-deprecation error
        super().__init__()

    def update(self, worker_ids=None, wait=True):  # expect: api-removed-without-deprecation error
        return worker_ids

    # expect: api-removed-without-deprecation error





    #
def symlog(value):  # expect: api-removed-without-deprecation error
    return value
