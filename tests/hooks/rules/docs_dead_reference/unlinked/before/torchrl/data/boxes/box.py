class Box:
    """Holds things. See :class:`~torchrl.data.Box`."""

    def open(self):
        """Opens."""


class Lid:
    """Closes."""
