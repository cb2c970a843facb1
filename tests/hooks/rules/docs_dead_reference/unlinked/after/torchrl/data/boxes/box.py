class Box:
    """Holds things. See :class:`~torchrl.data.Box`."""

    def open(self):
        """Opens. As :class:`torchrl.data.boxes.Box` and :class:`torchrl.data.boxes.box.Box`."""


class Lid:
    """Closes.

    What :meth:`~torchrl.data.Box.open` opens,  # expect: docs-dead-reference warning
    as a :class:`~torchrl.data.Lid`.  # expect: docs-dead-reference advisory
    """
