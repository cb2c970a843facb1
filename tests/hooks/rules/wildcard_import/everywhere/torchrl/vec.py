from __future__ import annotations

from .configs import *  # noqa: F401, F403  # expect: wildcard-import error
