def saw():  # expect: public-api-undocumented warning
    """Cuts."""


def _file():
    """Smooths."""
