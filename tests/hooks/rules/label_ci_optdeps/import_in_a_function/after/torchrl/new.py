from __future__ import annotations

import importlib.util


def f():
    import ray  # expect: label-ci-optdeps advisory

    return ray
