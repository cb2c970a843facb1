from __future__ import annotations


def test_not_gated_by_conftest():
    ...
