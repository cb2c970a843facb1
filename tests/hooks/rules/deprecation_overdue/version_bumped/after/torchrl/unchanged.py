import warnings


def old():
    warnings.warn("old is deprecated and will be removed in v0.15.", DeprecationWarning)  # expect: deprecation-overdue warning
    warnings.warn("old is deprecated and will be removed in v0.14.", DeprecationWarning)
