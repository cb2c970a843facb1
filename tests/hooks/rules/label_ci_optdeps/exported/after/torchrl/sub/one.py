from __future__ import annotations

import importlib.util

if importlib.util.find_spec("ray"):
    import ray


class One:
    pass
