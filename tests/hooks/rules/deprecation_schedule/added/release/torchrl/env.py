import warnings


def kept():
    warnings.warn("kept is deprecated and will be removed in v0.15.", DeprecationWarning)
