class Old:
    """Is there."""


class New:
    pass
