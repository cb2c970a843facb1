"""Tables of known exceptions: what fails today for a known reason, kept as TOML beside the area that knows it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from . import toml
from .outcome import Unverified

IMPROVED = "improved, update the table"


def load(module: str) -> dict[str, Any]:
    """The table of an area, given its module's ``__file__``."""
    return toml.read(Path(module).with_suffix(".toml"))


def row(table: Mapping[str, Any], check: str) -> dict[str, str] | None:
    """The row of one check, ``name/case`` without its area, among the ``[[known]]`` of a table: the first that lists it.

    A row lists checks or, with ``*``, patterns of checks.
    """
    rows = table.get("known", ())
    return next((row for row in rows if any(fnmatchcase(check, pattern) for pattern in row["checks"])), None)


@contextlib.contextmanager
def known(row: Mapping[str, str] | None, note: Callable[[str], None]) -> Iterator[None]:
    """Judge a law by its row in a table: ``error``, the name of the exception's class, ``reason``, and if several failures
    have this class, ``words`` of the message.

    Without a row the law must hold. With one, the failure that the row names is unverified, any other is a failure, and
    none at all is a pass that asks for the table to be updated.
    """
    try:
        yield
    except (Exception, pytest.fail.Exception) as error:
        if row is None or type(error).__name__ != row["error"] or row.get("words", "") not in str(error):
            raise
        raise Unverified(f"known exception: {row['reason']}") from error
    if row is not None:
        note(f"{IMPROVED}: this was known to fail ({row['reason']})")
