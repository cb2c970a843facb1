from __future__ import annotations

class Loss:  # expect: paper-reference advisory
    """The loss of Doe et al.

    It is short.
    """


class Planner:  # expect: paper-reference
    """Plans as in the paper."""


class Known:
    """Known from https://arxiv.org/abs/2401.00001."""


class Unlike(Known):  # expect: paper-reference
    """Has its own paper."""


class Later(Known):  # expect: paper-reference
    """Known, as Doe et al. have changed it."""
