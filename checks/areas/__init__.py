"""One pytest module an area: ``areas/envs.py`` is the area ``envs``; functions named ``test_*`` are its checks.

A check takes the fixtures ``device``, ``steps`` and ``note``, and says with marks what it needs (``needs``), how long it
may take (``limit``) and which tier it belongs to (``tier``). A TOML file beside it, ``TABLE`` in the module, holds data
and, under ``[[known]]``, the known exceptions: ``checks`` (``name/case``, or patterns of those), ``error``, ``words`` and
``reason``. Modules whose name begins with an underscore are shared by areas.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The areas that there are: the modules of this folder, but for those whose name begins with an underscore."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))
