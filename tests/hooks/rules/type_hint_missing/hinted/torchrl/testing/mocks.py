from __future__ import annotations


def mock_env(name):
    return name
