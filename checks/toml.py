"""Reading a TOML file, also on the Python that has no reader of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read(path: Path) -> dict[str, Any]:
    """The contents of a file.

    Raises:
        ValueError: it is no TOML.
    """
    return tomllib.loads(path.read_text(encoding="utf-8"))
