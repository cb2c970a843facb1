from __future__ import annotations

def make_env(name, seed: int = 0, *args, **kwargs):  # expect: type-hint-missing advisory
    def inner(x):
        return x

    return inner(name)


class Env:
    def step(self, action):  # expect: type-hint-missing
        return action
