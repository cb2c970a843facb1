from __future__ import annotations

import sys

import torch
from torchrl._utils import implement_for


@implement_for("torch", "2.3")
def tree(value):
    from torch.utils._pytree import tree_map

    return tree_map(value)


def newer_than_the_oldest_torch():
    from torch.utils._pytree import tree_map_with_path

    return tree_map_with_path


def asks_for_the_version():
    if sys.version_info >= (3, 12):
        import itertools

        return itertools
    return None


def of_one_system():
    import msvcrt

    return msvcrt


def tries():
    try:
        from torch import vmap
    except ImportError:
        vmap = None
    return vmap


def plain():
    from torch.utils.data import Dataset  # expect: import-in-function error

    return Dataset


def __getattr__(name):
    import importlib

    return importlib.import_module(name)
