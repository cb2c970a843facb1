class Box:
    """Holds things."""
