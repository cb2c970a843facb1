__all__ = ["Here", "Late"]


class Here:
    """Is here."""


class Late:
    """Comes later."""
