from __future__ import annotations

_BACKENDS = {"thread": 1, "ray": 2}


def select(mode: str = "random"):  # expect: type-hint-literal advisory
    if mode == "random":
        return 1
    elif mode == "greedy":
        return 2
    raise ValueError(mode)


class Pool:
    def __init__(self, backend: str | None = None, policy: str = "wait"):  # expect: type-hint-literal
        if backend not in _BACKENDS:
            raise ValueError(backend)
        match policy:
            case "wait":
                self.wait = True


def reduce(reduction: str, name: str):  # expect: type-hint-literal
    assert reduction in ("mean", "sum") and name
    return reduction
