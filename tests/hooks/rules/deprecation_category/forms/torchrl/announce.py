from __future__ import annotations

import warnings
from logging import getLogger

logger = getLogger(__name__)
_Category = FutureWarning


def old(x=None):
    warnings.warn("old is deprecated and will be removed in v0.16.")  # expect: deprecation-category error
    warnings.warn("old will be removed in v0.16.", FutureWarning, stacklevel=2)  # expect: deprecation-category error
    warnings.warn("old is deprecated: v0.16.", category=_Category)  # expect: deprecation-category warning
    warnings.warn("old is deprecated and will be removed in v0.16.", UserWarning)  # expect: deprecation-category error
    warnings.warn(  # expect: deprecation-category error
        "Currently (v0.14) the default of x is 1 but as of v0.15 it will be 2."
    )
    logger.warning("old is deprecated and will be removed in v0.16.")  # expect: deprecation-category error
    logger.warning("old will be removed in v0.16.", category=DeprecationWarning)  # expect: deprecation-category error
    warnings.warn("The default of x will change in v0.15.", DeprecationWarning, stacklevel=2)  # expect: deprecation-category error
    warnings.warn("OptimizerHook will be replaced by Stepper in v0.16.", FutureWarning)  # expect: deprecation-category warning
    warnings.warn("Old.reset will be derpecated in v0.16.0.", PendingDeprecationWarning)  # expect: deprecation-category warning
    warnings.warn(DeprecationWarning("The default of x will change in v0.15."))  # expect: deprecation-category error
