from __future__ import annotations

import importlib.util

_has_ray = importlib.util.find_spec("ray") is not None  # expect: label-ci-optdeps advisory
if _has_ray:
    import ray
