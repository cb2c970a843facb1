"""Calls :meth:`torchrl.data.Box.open` and :class:`torchrl.data.Never`."""
