from __future__ import annotations

import importlib.util

import pytest

if importlib.util.find_spec("gymnasium") is None:
    pytest.skip("needs gymnasium", allow_module_level=True)


def test_not_gated():
    ...
