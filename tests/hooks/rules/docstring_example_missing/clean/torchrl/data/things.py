class Shown:
    """Shows it.

    Examples:
        >>> Shown()
    """
