class A:
    """First."""
