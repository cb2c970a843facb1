class There:
    """Is there."""
