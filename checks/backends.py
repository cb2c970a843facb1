"""Optional packages of torchrl, by the data of ``backends.toml``: what each is for and the narrow way to get it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from . import toml


class Backend(NamedTuple):
    """One optional package.

    Args:
        name: what people call it.
        distribution: what pip installs.
        module: what is imported.
        areas: of smoke checks that can be verified only with it.
        use: what of torchrl needs it.
        extra: of torchrl that brings it, "" where none is narrow enough.
        install: what to give to pip instead.
    """

    name: str
    distribution: str
    module: str
    areas: tuple[str, ...]
    use: str
    extra: str = ""
    install: str = ""

    @property
    def command(self) -> str:
        """The narrow way to get it."""
        return f"pip install 'torchrl[{self.extra}]'" if self.extra else f"pip install {self.install}"


@cache
def backends() -> tuple[Backend, ...]:
    """Every optional package of the table."""
    return tuple(
        Backend(
            name,
            row.get("distribution", name),
            row.get("module", name),
            tuple(row["areas"]),
            row["use"],
            row.get("extra", ""),
            row.get("install", ""),
        )
        for name, row in _table()["backend"].items()
    )


class Extra(NamedTuple):
    """An extra of torchrl: what it is for, and the requirements that it brings."""

    name: str
    use: str
    brings: tuple[str, ...]


@cache
def extras() -> tuple[Extra, ...]:
    """Every extra of the table."""
    return tuple(Extra(name, row["use"], tuple(row["brings"])) for name, row in _table()["extra"].items())


def backend(name: str) -> Backend | None:
    """The row of a package, by its name, distribution or module."""
    wanted = _plain(name)
    return next((it for it in backends() if wanted in map(_plain, (it.name, it.distribution, it.module))), None)


def _plain(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


@cache
def _table() -> dict:
    return toml.read(Path(__file__).with_name("backends.toml"))
