from __future__ import annotations

import importlib.util

_has_ray = importlib.util.find_spec("ray") is not None  # expect: label-ci-optdeps advisory
A = 1
B = 2
