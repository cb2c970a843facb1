import warnings


def step(x, env=None):  # expect: deprecation-overdue warning
    if env is not None:
        x = env
    return x


def reset(x=2):
    return x
