class Late:
    """Comes when it is asked for."""
