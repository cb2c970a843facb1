from __future__ import annotations

import warnings

from .configs import *  # noqa: F401, F403  # expect: wildcard-import error

warnings.warn("torchrl.half_moved is deprecated.", category=DeprecationWarning)


def make_all():
    return make_env()
