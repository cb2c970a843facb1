class Box:
    """Holds things."""

    def open(self):
        """Opens."""
