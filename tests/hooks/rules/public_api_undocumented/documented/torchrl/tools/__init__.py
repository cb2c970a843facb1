"""Tools."""

__all__ = ["hammer"]


def hammer():
    """Hits."""
