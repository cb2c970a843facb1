class SerialEnv:
    """Runs one after the other."""


class ParallelEnv:
    """Runs side by side."""


class AsyncEnv:  # expect: public-api-undocumented error
    """Waits for nobody."""


class _Worker:
    """Runs in a process of its own."""


class NotExported:
    """Stays here."""


def gather(envs):  # expect: public-api-undocumented error
    """Collects what environments give."""
