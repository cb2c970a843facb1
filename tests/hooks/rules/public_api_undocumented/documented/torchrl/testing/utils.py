def helper():
    """Helps tests."""
