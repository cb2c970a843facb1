from __future__ import annotations

import warnings

import torch

_VERSION = "0.16"


def _message(what):
    return f"{what} is deprecated and will be removed in v{_VERSION}."


def named(what, release):
    """Names.

    .. deprecated:: 0.12
        It will be removed in v0.16.
    """
    warnings.warn("a is deprecated and will be removed in v0.16.", DeprecationWarning, stacklevel=2)
    warnings.warn(f"{what} is deprecated " f"and will be removed in torchrl 0.16.", DeprecationWarning)
    warnings.warn("From torchrl v0.15 the collector will append them", FutureWarning)
    warnings.warn(_message(what), DeprecationWarning)
    warnings.warn(f"{what} will be removed in v{release}.", DeprecationWarning)


def no_announcement(x, text):
    warnings.warn("This is experimental and the API may change in future versions.", UserWarning)
    warnings.warn("The key will be ignored.")
    warnings.warn("use_buffers will default to False on this device.")
    warnings.warn("Left spanning will be automatically turned off.")
    warnings.warn("The legacy path is used instead.")
    warnings.warn("This advisory will become a DeprecationWarning in a future release.", stacklevel=2)
    warnings.warn("This dataset is no longer available, possibly a deprecation.", DeprecationWarning)
    warnings.warn("x is now the default. Prior to v0.13 it was y.", FutureWarning)
    warnings.warn("the argument is deprecated in gymnasium.")
    warnings.warn(text, DeprecationWarning)
    warnings.filterwarnings("ignore", message="x is deprecated", category=DeprecationWarning)
    warnings.simplefilter("ignore", FutureWarning)
    if x:
        raise TypeError("x is deprecated, use y.")
    # warnings.warn("x is deprecated", DeprecationWarning)
