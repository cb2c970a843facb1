from __future__ import annotations

import importlib.util

import torch

_has_triton_package = importlib.util.find_spec("triton") is not None


def _has_triton_backend() -> bool:
    if not _has_triton_package or not torch.cuda.is_available():
        return False
    return importlib.util.find_spec("triton.language.extra.libdevice") is not None


_has_triton = _has_triton_backend()

try:
    import kernels

    _has_kernels = torch.cuda.is_available()
except ImportError:
    _has_kernels = False

_has_cuda = False
if torch.cuda.is_available():
    _has_cuda = True

try:
    import gymnasium

    _has_gym = True
except ImportError:
    _has_gym = False
