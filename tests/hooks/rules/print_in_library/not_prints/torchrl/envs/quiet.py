from __future__ import annotations

from rich import print


def show(value):
    """Shows it.

    Examples:
        >>> print(show(1))
    """
    print(value)
    text = "print(1)"
    return text
