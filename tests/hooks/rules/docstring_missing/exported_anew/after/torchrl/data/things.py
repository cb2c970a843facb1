class Old:
    """Is there."""


class New:  # expect: docstring-missing error
    pass
