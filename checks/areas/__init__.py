"""One pytest module an area: ``areas/envs.py`` is the area ``envs``; functions named ``test_*`` are its checks.

A check takes the fixtures ``device``, ``steps`` and ``note``, and says with marks what it needs (``needs``), how long it
may take (``limit``) and which tier it belongs to (``tier``). Its known exceptions stand in a TOML file beside it.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The areas that there are: the modules of this folder."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
