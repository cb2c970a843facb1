from dataclasses import dataclass

import torch


class Storage:
    # two changes and one that cannot be computed
    def __init__(self, size, stack_dim=0, dtype=torch.get_default_dtype(), *, timeout=None):  # expect: api-default-changed-without-warning
        self.stack_dim = stack_dim
        self.timeout = timeout

    def get(self, index=0):  # expect: api-default-changed-without-warning error
        return index


@dataclass
class Config:
    normalize: bool = False  # expect: api-default-changed-without-warning error
    frame_skip: int = 1  # expect: api-default-changed-without-warning warning


def symlog(x, base=10):  # expect: api-default-changed-without-warning error
    return x
