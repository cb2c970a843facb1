class SerialEnv:
    """Runs one after the other."""


class ParallelEnv:
    """Runs side by side."""

