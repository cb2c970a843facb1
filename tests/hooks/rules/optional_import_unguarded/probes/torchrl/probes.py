from __future__ import annotations

import importlib.util
from importlib.util import find_spec

_has_kernels = importlib.util.find_spec("triton.language.extra") is not None  # expect: optional-import-unguarded error
_has_scan = importlib.util.find_spec("torch._higher_order_ops.scan") is not None
_has_tensor = importlib.util.find_spec("torch.nn.attention.flex_attention") is not None  # expect: optional-import-unguarded error
_has_sklearn = find_spec("scikit-learn") is not None  # expect: optional-import-unguarded warning
_has_atari = find_spec("atari-py") is not None  # expect: optional-import-unguarded warning
_has_jax = find_spec("jax") is not None
_has_triton = find_spec("triton") is not None
_has_libdevice = _has_triton and find_spec("triton.language") is not None
_has_other = find_spec("triton.language") is not None if _has_triton else False
try:
    _has_more = find_spec("triton.language.extra") is not None
except ModuleNotFoundError:
    _has_more = False
