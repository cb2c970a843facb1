import warnings


def step(x, env=None):
    if env is not None:
        warnings.warn("env is deprecated and will be removed in v0.13.", DeprecationWarning)
        x = env
    return x


def reset(x=None):
    if x is None:
        warnings.warn("The default of x will change in v0.13.", FutureWarning)
        x = 1
    return x
