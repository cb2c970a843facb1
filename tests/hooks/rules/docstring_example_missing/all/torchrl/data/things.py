from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Plain:  # expect: docstring-example-missing warning
    """Says what it is."""


class Block:  # expect: docstring-example-missing warning
    """Shows it.

    .. code-block:: python

        Block()
    """


class Shown:
    """Shows it.

    Specs:
        >>> Shown()
    """


class InInit:
    """Says what it is."""

    def __init__(self):
        """Makes one.

        >>> InInit()
        """


@dataclass
class BoxConfig:
    """Configures a box."""

    size: int = 3


class Call(Protocol):
    """Describes a call."""


class Failure(RuntimeError):
    """Went wrong."""


class Kind(Enum):
    """One of several."""

    ONE = 1


class Abstract(ABC):  # expect: docstring-example-missing advisory
    """To be derived from."""


class Base:  # expect: docstring-example-missing advisory
    """To be derived from, too."""

    @abstractmethod
    def run(self):
        """Runs."""


def work():  # expect: docstring-example-missing advisory
    """Works."""


class Undocumented:  # expect: docstring-missing
    pass
