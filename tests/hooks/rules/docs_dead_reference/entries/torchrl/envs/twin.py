class Twin:
    """There."""
