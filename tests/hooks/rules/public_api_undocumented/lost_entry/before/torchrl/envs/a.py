class A:
    """First."""


class B:
    """Second."""


class C:
    """Third."""

