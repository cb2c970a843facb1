from enum import Enum


class Bare:  # expect: docstring-missing error
    pass  # noqa: D101


class Said:
    """Says what it is."""


class Empty(Enum):  # expect: docstring-missing error
    ONE = 1


class Gone:  # expect: docstring-missing advisory
    def __init__(self, *args):
        raise RuntimeError("removed")


class Assigned:
    __doc__ = Said.__doc__


class Later:
    pass


Later.__doc__ = "Says it later."


class NotExported:
    pass


class _Private:
    pass


def bare():  # expect: docstring-missing error
    return 1


if Later:

    def Dispatched():
        """Under a condition."""

else:

    def Dispatched():
        return 1
