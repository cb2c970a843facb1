"""Collects."""

from __future__ import annotations

import os

import torch


class Collector:
    def start(self):
        # The host's own name.
        import socket  # expect: import-in-function error
        from tensordict import TensorDict  # noqa: F401  # expect: import-in-function error
        from torchrl.envs.utils import step  # expect: import-in-function error

        def inner():
            import torch  # expect: import-in-function error

            return torch.zeros(1)

        return socket, step(), os.sep, inner()

    def stop(self):
        import json as js  # expect: import-in-function error

        from torchrl.envs.utils import step  # expect: import-in-function error

        return js, step

    def empty(self):
        import math  # expect: import-in-function error


def clash():
    from time import time  # expect: import-in-function error

    return time()


def other_clash():
    import time  # expect: import-in-function error

    return time.time()


def uses_os():
    from os import path as os  # expect: import-in-function error

    return os
