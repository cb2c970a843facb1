"""What a value from outside must look like, said with Python's own types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple


class Misshapen(Exception):
    """A value is not what it must be; the message says where."""


class Text(NamedTuple):
    """A string of at most ``most`` characters that matches ``pattern`` as a whole."""

    most: int = 20_000
    pattern: str = r"(?s:.*)"


class Many(NamedTuple):
    """A list of at most ``most`` values of one shape."""

    of: Any
    most: int = 10_000


class Named(NamedTuple):
    """An object with any names of at most 200 characters and values of one shape."""

    of: Any
    most: int = 1_000


def shaped(value: Any, shape: Any, where: str) -> Any:
    """The value with what its shape does not speak of left out.

    Args:
        shape: ``Text``, ``Many``, ``Named``, a type of plain values, a tuple of shapes one of which fits, a value that it
            must be, or a mapping of names to the shapes of an object.
        where: what a complaint calls the value.

    Raises:
        Misshapen: the value has another shape.
    """
    if isinstance(shape, Text):
        if isinstance(value, str) and len(value) <= shape.most and re.fullmatch(shape.pattern, value):
            return value
    elif isinstance(shape, Many):
        if isinstance(value, list) and len(value) <= shape.most:
            return [shaped(item, shape.of, f"{where}[{at}]") for at, item in enumerate(value)]
    elif isinstance(shape, Named):
        if isinstance(value, dict) and len(value) <= shape.most and all(len(key) <= 200 for key in value):
            return {key: shaped(item, shape.of, f"{where}.*") for key, item in value.items()}
    elif isinstance(shape, Mapping):
        if isinstance(value, dict):
            return {key: shaped(value.get(key), part, f"{where}.{key}") for key, part in shape.items()}
    elif type(shape) is tuple:
        for one in shape:
            try:
                return shaped(value, one, where)
            except Misshapen:
                continue
    elif isinstance(shape, type):
        if type(value) is shape and (shape is not int or abs(value) < 1 << 53):
            return value
    elif type(value) is type(shape) and value == shape:
        return value
    raise Misshapen(f"{where} is not what it must be")
