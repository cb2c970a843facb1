from __future__ import annotations

import warnings

_LATE = "x will be removed in v0.12 (see the docs)."


class Env:
    """An environment.

    .. note:: This behavior will switch to ``False`` in v0.9.  # expect: deprecation-overdue warning
    """

    LAST = "y will be removed in version 0.14."

    def step(self, name, when):
        warnings.warn("z is deprecated and will be removed in v0.14.0.", DeprecationWarning)  # expect: deprecation-overdue error
        warnings.warn(_LATE, DeprecationWarning)  # expect: deprecation-overdue error
        warnings.warn(self.LAST, DeprecationWarning)  # expect: deprecation-overdue error
        warnings.warn(  # expect: deprecation-overdue error
            f"Since v0.16 of another thing, {name} warns. From v0.9 it will change, "
            "and it will be removed in v0.10.",
            DeprecationWarning,
        )


def make_metaclass(parent):
    class Legacy(parent):
        def __call__(cls, *args):
            warnings.warn(f"{cls.__name__} will be removed in v0.13.", DeprecationWarning)  # expect: deprecation-overdue error
            return super().__call__(*args)

    return Legacy


def _warn(name, release):
    warnings.warn(f"{name} is deprecated and will be removed in {release}.", DeprecationWarning, stacklevel=3)


def old():
    _warn("old", release="v0.13")  # expect: deprecation-overdue error
    _warn("old", "v0.15")
