from __future__ import annotations

import importlib.util

import pytest

_has_gym = importlib.util.find_spec("gym") is not None
