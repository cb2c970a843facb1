import math


class Loop:  # expect: docstring-example-broken advisory
    """Has prompts where a statement goes on.

    >>> for item in range(3):
    >>>     print(item)
    """


class Names:  # expect: docstring-example-broken advisory
    """Uses what nobody made.

    >>> things = Names()
    >>> things.add(env)
    """


class Good:
    """Makes what it uses.

    Examples:
        >>> from math import pi as number
        >>> import os.path
        >>> good = Good()
        >>> for item in range(3):
        ...     print(item, number, os.sep, math.e)
        >>> def add(a, *rest, key=None, **more):
        ...     return [a + x for x in rest], key, more
        >>> with open("file") as stream:
        ...     text = stream.read()
        >>> try:
        ...     add(1)
        ... except ValueError as error:
        ...     print(error, lambda y: y)
        >>> (n := 3) + n
        6
        >>> good
        Good(whatever, stands, here)
    """


class Method:
    """Fine itself."""

    def run(self):  # expect: docstring-example-broken advisory
        """Runs.

        >>> thing.run()
        """

    def _hidden(self):
        """Nobody reads it.

        >>> thing.run()
        """


class Starred:
    """May get any name.

    >>> from torch import *
    >>> zeros(3)
    """


class Indented:  # expect: docstring-example-broken advisory
    """Goes on where it should not.

    >>> a = [
    ... 1]
   oops
    """
