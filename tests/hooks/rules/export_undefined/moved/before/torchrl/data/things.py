class Here:
    """Is here."""
