from __future__ import annotations


def helper():
    return 1
