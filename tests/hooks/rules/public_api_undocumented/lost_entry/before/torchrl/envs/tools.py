def saw():
    """Cuts."""


def _file():
    """Smooths."""
