"""The map: which tests and which areas of smoke checks answer for a file, by the data of ``map.toml``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from torchrl_preflight.hooks.project.globs import matches

from . import toml


class Row(NamedTuple):
    """Some files and what answers for them.

    Args:
        source: globs of files.
        tests: globs of test files; ``{stem}`` is the name of the source file.
        areas: of smoke checks.
        why: what to say where there is nothing to run.
    """

    source: tuple[str, ...]
    tests: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    why: str = ""

    def covers(self, path: str) -> bool:
        """Whether the row speaks of a file."""
        return any(matches(glob, path) for glob in self.source)

    def tests_for(self, path: str, among: Iterable[str]) -> Iterator[str]:
        """The test files that answer for ``path``."""
        stem = Path(path).stem
        globs = [glob.replace("{stem}", stem) for glob in self.tests]
        return (test for test in among if any(matches(glob, test) for glob in globs))


class Subject(NamedTuple):
    """What people call an area, and its page in the documentation of pytorch/rl."""

    area: str
    title: str
    words: tuple[str, ...]
    page: str


@cache
def rows() -> tuple[Row, ...]:
    """The rows of the map."""
    return tuple(Row(**{key: _frozen(value) for key, value in row.items()}) for row in _table()["row"])


@cache
def subjects() -> tuple[Subject, ...]:
    """Every area of the map."""
    return tuple(
        Subject(name, values["title"], tuple(values["words"]), values["page"])
        for name, values in _table()["area"].items()
    )


def rows_of(path: str) -> list[Row]:
    """The rows that speak of a file; none: it is unmapped."""
    return [row for row in rows() if row.covers(path)]


@cache
def _table() -> dict:
    return toml.read(Path(__file__).with_name("map.toml"))


def _frozen(value: str | list[str]) -> str | tuple[str, ...]:
    return value if isinstance(value, str) else tuple(value)
