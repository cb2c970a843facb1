class Said:
    """Says what it is."""
