from __future__ import annotations

import warnings


class Aliased:
    def method(self):
        return 1

    def popped(self, old=None):
        return old


class Announced:
    def __init__(self):
        warnings.warn("Announced is deprecated and will be removed in v0.14.", DeprecationWarning)


class _LegacyMeta(type):
    def __call__(cls, *args):
        warnings.warn(f"{cls.__name__} will be removed in v0.13.", DeprecationWarning)
        return super().__call__(*args)


class LegacyAlias(Aliased, metaclass=_LegacyMeta):
    pass


class Lazy:
    pass


class TableLazy:
    pass


class Made:
    def method(self):
        return 1


class Moved:
    def __init__(self, x=1, env=None):
        if env is not None:
            warnings.warn("Pass x, not env; this changes in v0.14.", DeprecationWarning)


class PPOTrainer:
    def __init__(self, *, collector, total_frames=1, lr=1e-3, gamma=0.9, **kwargs):
        super().__init__()


def _private():
    return 1


def fallback(x, old=None):
    return x
