class One:
    """One thing.

    It does much.
    """


class Two:
    r"""Two things."""
