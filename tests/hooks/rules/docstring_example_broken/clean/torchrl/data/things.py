class Good:
    """Shows itself.

    >>> Good()
    """
