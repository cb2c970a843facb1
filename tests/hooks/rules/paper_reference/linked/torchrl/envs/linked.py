from __future__ import annotations

class Loss:
    """The loss of "A title", Doe et al. (2024).

    https://arxiv.org/abs/2401.00001
    """


class Rock:
    """Rock, scissors, newspaper."""


class _Private:
    """From the paper."""


class LazyLoss(Loss):
    """A Loss that waits, with the default of the original paper."""
