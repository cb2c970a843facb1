"""One line on a terminal that says what is being done; nothing anywhere else."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from typing import TextIO

from .run import Progress


@contextlib.contextmanager
def shown_on(stream: TextIO | None) -> Iterator[Progress | None]:
    """A progress for `run.run` that rewrites one line of ``stream``, gone at the end; None if it is no terminal."""
    if stream is None or not stream.isatty():
        yield None
        return

    def show(doing: str, done: int, total: int) -> None:
        words = f"[{done}/{total}] {doing}" if total else f"{doing} ..."
        stream.write(f"\r{words[: shutil.get_terminal_size().columns - 1]}\x1b[K")
        stream.flush()

    try:
        yield show
    finally:
        stream.write("\r\x1b[K")
        stream.flush()
