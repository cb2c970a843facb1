class Box:
    """Holds things."""

    size = 3

    def open(self):
        """Opens it."""
        self.is_open = True


class Twin:
    """Here."""
