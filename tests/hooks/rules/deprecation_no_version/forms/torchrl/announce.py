from __future__ import annotations

import logging
import warnings
from warnings import warn

logger = logging.getLogger("torchrl")
_MESSAGE = "`steps` is deprecated, use `frames`."
_SOON = "deprecated soon"


class Collector:
    """A collector.

    .. deprecated:: 0.12  # expect: deprecation-no-version warning
        Use MultiCollector instead.
    """

    RENAMED_DEPREC = "pass 'environment' and not 'recorder'"

    def __init__(self, steps=None, recorder=None):
        if steps is not None:
            warnings.warn(_MESSAGE, DeprecationWarning, stacklevel=2)  # expect: deprecation-no-version
        if recorder is not None:
            warnings.warn(self.RENAMED_DEPREC)  # expect: deprecation-no-version, deprecation-category

    def update(self):
        warnings.warn(  # expect: deprecation-no-version
            f"{type(self).__name__}.update will be removed "
            "in a future version, use `push`.",
            DeprecationWarning,
            stacklevel=2,
        )

    def push(self):
        warn("push is " + "deprecated since v0.4.0, use `send`.", category=DeprecationWarning)  # expect: deprecation-no-version

    def send(self):
        logger.warning("%s is deprecated", "send")  # expect: deprecation-no-version, deprecation-category

    def pull(self):
        warnings.warn("{} will soon be deprecated.".format("pull"), DeprecationWarning, 2)  # expect: deprecation-no-version

    def step(self):
        message = "step is deprecated."
        warnings.warn(message, DeprecationWarning, stacklevel=2)  # expect: deprecation-no-version

    def both(self):
        warnings.warn(f"both is {_SOON}!", DeprecationWarning)  # expect: deprecation-no-version


def _warn_deprecated(what, category=DeprecationWarning):
    warnings.warn(what, category, stacklevel=3)


def old():
    _warn_deprecated("old is deprecated, use new.")  # expect: deprecation-no-version


def replaced():
    warnings.warn("'coef' is deprecated and will be removed in v0.16. Use 'coef' instead.", DeprecationWarning, stacklevel=2)  # expect: deprecation-no-version
