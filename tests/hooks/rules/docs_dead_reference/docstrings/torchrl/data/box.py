"""See :class:`torchrl.envs.Envs`."""  # expect: docs-dead-reference warning


class Box:
    r"""Holds what :class:`~torchrl.envs.EnvBase` gives.

    Args:
        size (:class:`torchrl.data.Boxes`): how many;  # expect: docs-dead-reference warning
            see :meth:`the
            step <torchrl.data.Box.step>`.
        other (Callable[[:class:`~torchrl.envs.Box`], None]): one.  # expect: docs-dead-reference warning

    Examples::

        :class:`torchrl.envs.Nothing`

    .. code-block:: rst

        :class:`torchrl.envs.Nothing`

    >>> print(":class:`torchrl.envs.Nothing`")
    """

    def step(self):
        """As :meth:`step` and ``:meth:`torchrl.envs.nothing``` do."""
        return ":class:`torchrl.envs.Nothing`"
