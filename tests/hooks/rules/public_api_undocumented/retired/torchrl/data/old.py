class Gone:  # expect: public-api-undocumented advisory
    """Was here."""

    def __init__(self, *args):
        """Refuses."""
        raise RuntimeError("Gone was removed")


class Going:  # expect: public-api-undocumented advisory
    """Deprecated: use EnvBase."""


def late():  # expect: public-api-undocumented advisory
    raise RuntimeError("removed")


class Unlisted:  # expect: public-api-undocumented advisory
    """Can be imported from torchrl.data."""
