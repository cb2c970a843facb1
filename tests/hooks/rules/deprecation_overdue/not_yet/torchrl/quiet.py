from __future__ import annotations

import warnings


class Env:
    """An environment.

    .. versionchanged:: 0.9
        It will raise from v0.9 on.

    .. note:: It will be removed in v0.16.

    The format is that of torch v0.9, which will not change.
    """

    def step(self, release):
        warnings.warn("z is deprecated and will be removed in v0.15.", DeprecationWarning)
        warnings.warn("z is deprecated and works through v0.14.", DeprecationWarning)
        warnings.warn("Currently (v0.14) x is the default, as of v0.15 it will be y.", FutureWarning)
        warnings.warn("x is deprecated since v0.4.0.", DeprecationWarning)
        warnings.warn("x is now used. Prior to v0.13 the default was y.", FutureWarning)
        warnings.warn("x is deprecated: gymnasium 0.13 lacks it. It will be removed in v0.20.", DeprecationWarning)
        warnings.warn("x will change; install torchcodec>=0.10.0 from v0.15 on.", FutureWarning)
        warnings.warn(f"x is deprecated and will be removed in v{release}.", DeprecationWarning)
