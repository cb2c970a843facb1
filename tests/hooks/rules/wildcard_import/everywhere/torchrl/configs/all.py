from __future__ import annotations

class EnvConfig:
    pass


def make_env():
    return 1
