from __future__ import annotations

import importlib.util

_has_gym = importlib.util.find_spec("gym") is not None
