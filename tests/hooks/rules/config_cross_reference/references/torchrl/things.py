class One:
    """One thing.

    .. seealso::
        :class:`~torchrl.trainers.algorithms.configs.things.OneConfig`
    """


class Two:
    """Another.

    It is documented, see also the configuration in
    :class:`~torchrl.trainers.algorithms.configs.TwoConfig` for more.
    """


class Three:
    """A third, without a word of ThreeConfig."""


class Small:
    """Small."""


class Large:
    """Large; see :class:`~torchrl.trainers.algorithms.configs.SizeConfig`."""
