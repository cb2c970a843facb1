from __future__ import annotations

def make_env(name):
    return name
