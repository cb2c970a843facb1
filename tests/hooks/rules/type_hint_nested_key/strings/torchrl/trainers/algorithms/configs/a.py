from __future__ import annotations

def make(tensordict, reward_key: str):
    return tensordict.get(reward_key)
