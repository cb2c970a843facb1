from __future__ import annotations

class Loss:  # expect: paper-reference advisory
    """The loss of Doe et al.

    It is short.
    """


class Planner:  # expect: paper-reference
    """Plans as in the paper."""
