class Box:
    """Holds things."""

    def unlock(self):
        """Opens."""
