from __future__ import annotations

import warnings


class Meta(type):
    def __call__(cls, *args):
        warnings.warn(
            "The VecNorm class is to be deprecated in favor of VecNormV2 and will be replaced by that class in v0.16.",
            category=FutureWarning,
        )
        return super().__call__(*args)


def right(kind):
    warnings.warn("x is deprecated and will be removed in v0.16.", DeprecationWarning, stacklevel=2)
    warnings.warn("The default of x will change in v0.15.", category=FutureWarning)
    warnings.warn("x is deprecated and will stop working in v0.16.", DeprecationWarning)
    warnings.warn("x is deprecated and will be removed in v0.16.", kind)
    warnings.warn("x is experimental and may change.", UserWarning)
    warnings.warn("Passing x will raise an error in v0.16.", DeprecationWarning)
