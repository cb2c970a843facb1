import warnings
from dataclasses import dataclass, field
from typing import Protocol, overload

from somewhere import Unknown


class Both:  # expect: docstring-args error
    """Leaves one out.

    Args:
        size (int): how many.
        *shape: further ones.

    .. note::
        number: this is no argument.
    """

    def __init__(self, size, *shape, device=None, _hidden=1):
        pass


class Stale:  # expect: docstring-args error
    """Describes what is not there.

    Args:
        size (:obj:`int`, optional): how many; for example
            other: this is no argument either.
        colour (str): which.

    Returns:
        result: no argument.
    """

    def __init__(self, size):
        pass


class Near:  # expect: docstring-args error
    """Calls it otherwise.

    Args:
        run_type_check (bool): whether to check.
    """

    def __init__(self, run_type_checks=True):
        self.run_type_check = 1


class InInit:
    """Describes them below."""

    def __init__(self, size, shape):
        """Makes one.

        Arguments:
            size: how many.
            ``shape``: of what.
        """


class Free:
    """Hands on.

    Args:
        size (int): how many.
        colour (str): which.

    Keyword Args:
        other: one more.
    """

    def __init__(self, size, **kwargs):
        super().__init__(**kwargs)


class Call(Protocol):
    """Describes a call.

    Args:
        whatever: that the call takes.
    """

    def __call__(self, whatever):
        """Calls."""


@dataclass
class Settings:  # expect: docstring-args error
    """A dataclass takes its fields.

    Args:
        size: how many.
    """

    size: int
    shape: tuple = ()
    made: list = field(init=False, default_factory=list)


@dataclass
class PlainSettings:
    """A dataclass may call them attributes.

    Attributes:
        size: how many.
    """

    size: int = 3


class Props:
    """Describes a property, too.

    Args:
        size: how many.
        area: what comes out.
    """

    def __init__(self, size):
        self.size = size

    @property
    def area(self):
        """The area."""
        return self.size**2


class NoArgs:  # expect: docstring-args warning
    """Takes some and says nothing."""

    def __init__(self, size):
        pass


class NoneTaken:
    """Takes nothing."""


class Inherits(NoArgs):  # expect: docstring-args advisory
    """Takes what its base takes."""


class Old:
    """In another style.

    :param size: how many.
    """

    def __init__(self, size):
        pass


class Heads:
    """Ends its arguments with another heading.

    Args:
        size: how many.

    Inputs:
        tensor: what comes in.

    Specs:
        state: what is kept.
    """

    def __init__(self, size):
        pass


class Other(Unknown):
    """Comes from elsewhere.

    Args:
        anything: that the base takes.
    """


def function(size, shape=None, *, device="cpu"):  # expect: docstring-args error
    """Works.

    Args:
        size, shape: how many of what.
    """


class Methods:
    """Has methods."""

    def run(self, steps, policy):  # expect: docstring-args error
        """Runs.

        Args:
            steps (int): how many.
            policy: what acts.
            actor: what acted.
        """

    @staticmethod
    def make(size):
        """Makes one.

        Args:
            size: how many.
        """

    def short(self, size):
        """Needs no list."""

    @property
    def area(self):
        """The area.

        Args:
            nothing: that could be passed.
        """


class _Kind(type):
    def __call__(cls, *args, actor=None, **kwargs):
        return super().__call__(*args, **kwargs)


class Meta(metaclass=_Kind):
    """Is called through its metaclass.

    Args:
        size: how many.
        actor: who.
    """

    def __init__(self, size):
        pass


class Overloaded:  # expect: docstring-args error
    """Has stubs.

    Args:
        size: how many.
    """

    @overload
    def __init__(self, size): ...

    @overload
    def __init__(self, *, shape): ...

    def __init__(self, *args, **kwargs):
        pass


class Odd:
    """Has items that are none.

    Args:
        size: how many.
        and whatever else shape may be
    """

    def __init__(self, size, shape):
        pass


@dataclass
class BoxConfig:  # expect: docstring-args advisory
    """Configures a box."""

    size: int = 3


class Deprecated:  # expect: docstring-args advisory
    """Takes one that goes.

    Args:
        size: how many.
    """

    def __init__(self, size, number=None):
        if number is not None:
            warnings.warn("The argument number is deprecated and will be removed in v0.99", DeprecationWarning)


class Default:  # expect: docstring-args warning
    """Says what is no longer so.

    Args:
        size (int, optional): how many. Defaults to ``3``.
        scale (float): how much. Default: 0.001.
        mode (str): which way, default to "sum".
        fast (bool): whether. Defaults to True.
        device: where. Defaults to the default device.
    """

    def __init__(self, size=4, scale=1e-3, mode="sum", fast=True, device="cpu"):
        pass


@dataclass
class Many:  # expect: docstring-args warning
    """Describes the settings that matter.

    Args:
        a: the first.
    """

    a: int = 1
    b: int = 1
    c: int = 1
    d: int = 1
    e: int = 1
