import warnings


def kept():
    warnings.warn("kept is deprecated and will be removed in v0.15.", DeprecationWarning)


def new(x=None):
    warnings.warn("new is deprecated and will be removed in v0.15.", DeprecationWarning)  # expect: deprecation-schedule error
    warnings.warn(f"{x} has been " "deprecated and will be removed in v0.16.", DeprecationWarning)
    if x is None:
        warnings.warn("The default of x will change in version 0.14.", FutureWarning)  # expect: deprecation-schedule error, deprecation-overdue error
        warnings.warn("The default of x will change in v0.15.", FutureWarning)
