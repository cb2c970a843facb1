"""Tables of the world outside the target: one text file each, with its source in its first lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def rows(name: str) -> Iterator[list[str]]:
    """The words of each line of a table; comments and empty lines are left out."""
    text = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and line[0] != "#":
            yield line.split()
