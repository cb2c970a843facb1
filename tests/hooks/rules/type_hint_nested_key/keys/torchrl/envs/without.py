from __future__ import annotations

def read(tensordict, value_key: str):  # expect: type-hint-nested-key
    return tensordict.get(value_key)
