from __future__ import annotations

import os


def token(api_key: str, options: dict):
    return os.environ.get(api_key), options[api_key]


def read(tensordict, value_key: tuple[str, int], name: str):
    return tensordict.get(value_key), tensordict.get(name)
