from __future__ import annotations

import importlib.metadata

import gym
import torch
from packaging import version
from packaging.version import parse as parse_version

TORCH_VERSION = version.parse(torch.__version__).base_version
_OLD = version.parse(TORCH_VERSION) < version.parse("2.6.0")  # expect: version-branch-by-hand error
_DEAD = version.parse(torch.__version__) < version.parse("1.11")  # expect: version-branch-by-hand error


def as_texts():
    if torch.__version__ < "2.4":  # expect: version-branch-by-hand error
        return 1
    return 2 if parse_version(torch.__version__).base_version >= "2.8.0" else 3  # expect: version-branch-by-hand error


def others(lib):
    assert version.parse(gym.__version__) > version.parse("0.22")  # expect: version-branch-by-hand error
    if version.parse(lib.__version__) != version.parse("1.0"):  # expect: version-branch-by-hand error
        raise ImportError
    triton = importlib.metadata.version("triton")
    return version.parse(triton) >= version.parse("2.2")  # expect: version-branch-by-hand error
