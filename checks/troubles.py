"""Known troubles, by the data of ``troubles.toml``: an exception becomes a hint."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from . import toml
from .backends import backend


class Known(NamedTuple):
    """One trouble: how to recognise it (see ``troubles.toml``), what is behind it, what helps."""

    name: str
    cause: str
    remedy: str
    errors: tuple[str, ...] = ()
    all: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    inside: str = ""
    installed: str = ""
    blocks: bool = False

    @property
    def hint(self) -> str:
        """What to tell under a failure."""
        return f"{self.remedy} ({self.cause.rstrip('.')})"

    @property
    def signs(self) -> str:
        """How it is recognised, in words."""
        parts = [" or ".join(self.errors)] if self.errors else []
        parts += [" and ".join(f"'{word}'" for word in self.all)] if self.all else []
        parts += [f"one of {', '.join(repr(word) for word in self.any)}"] if self.any else []
        parts += [f"raised in {self.inside}"] if self.inside else []
        parts += [f"or {self.installed} is installed"] if self.installed else []
        return "; ".join(parts)

    def fits(self, error: BaseException) -> bool:
        """Whether an exception is this trouble."""
        message = str(error).lower()
        classes = {cls.__name__ for cls in type(error).__mro__}
        return (
            (not self.errors or not classes.isdisjoint(self.errors))
            and all(word.lower() in message for word in self.all)
            and (not self.any or any(word.lower() in message for word in self.any))
            and (not self.inside or any(self.inside in file for file in _files(error)))
        )


@cache
def troubles() -> tuple[Known, ...]:
    """Every known trouble, in the order in which they are tried."""
    rows = toml.read(Path(__file__).with_name("troubles.toml"))["trouble"]
    return tuple(
        Known(**{key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}) for row in rows
    )


def blocks(error: BaseException) -> bool:
    """Whether an exception says that this machine, and not torchrl, is in no state to answer."""
    return any(it.blocks and it.fits(each) for each in _chain(error) for it in troubles())


def hint(error: BaseException) -> str:
    """What helps against an exception, or "".

    What it was raised from is looked at first: it is nearer to the cause.
    """
    for each in reversed(list(_chain(error))):
        known = next((it for it in troubles() if it.fits(each)), None)
        if known is not None:
            return known.hint
        missing = _missing(each)
        if missing:
            return missing
    return ""


def _missing(error: BaseException) -> str:
    """How to get the optional package that an import did not find."""
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return ""
    row = backend(error.name.partition(".")[0])
    return f"{row.command} ({row.use} needs it)" if row else ""


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)


def _files(error: BaseException) -> list[str]:
    return [frame.filename.replace("\\", "/") for frame in traceback.extract_tb(error.__traceback__)]
