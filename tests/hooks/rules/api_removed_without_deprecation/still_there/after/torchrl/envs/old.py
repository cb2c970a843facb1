from __future__ import annotations


class _Mixin:
    def method(self):
        return 1


class Renamed(_Mixin):
    def popped(self, **kwargs):
        if "old" in kwargs:
            return kwargs.pop("old")
        return kwargs.pop("new", None)


class Lazy:
    pass


class TableLazy:
    pass


Made = type("Made", Renamed.__bases__, dict(Renamed.__dict__))


class Moved:
    def __init__(self, x=1):
        self.x = x


class OnPolicyTrainer:
    def __init__(self, *, collector, total_frames=1, lr=1e-3, gamma=0.9):
        super().__init__()


class PPOTrainer(OnPolicyTrainer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)


def fallback(x, **kwargs):
    return third_party(x, **kwargs)
