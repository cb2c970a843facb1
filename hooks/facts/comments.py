"""Bytes of a file that is not Python -> its suppressions: ``#`` comments, and ``..`` comments of rst."""

from __future__ import annotations

import re
from typing import NamedTuple

from .records import Suppression

IGNORE = re.compile(r"(?:#|^\s*\.\.)\s*preflight:\s*ignore\b(?:\[([^\]]*)\])?[ \t]*(.*)")


class Comments(NamedTuple):
    """The suppressions of a file."""

    suppressions: tuple[Suppression, ...]

    _nested = {"suppressions": Suppression}


def comments(data: bytes) -> Comments:
    """Suppressions of a text file, line by line; a file of another kind has none."""
    if b"preflight:" not in data:
        return Comments(())
    found = []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if match := IGNORE.search(line):
            found.append(suppression(match, number, not line[: match.start()].strip()))
    return Comments(tuple(found))


def suppression(match: re.Match[str], line: int, own_line: bool) -> Suppression:
    """The suppression that a match of ``IGNORE`` writes."""
    names = tuple(name.strip() for name in (match[1] or "").split(",") if name.strip())
    return Suppression(names, match[2].strip(), line, own_line)
