"""Where in the target's configuration a complaint about it belongs."""

from __future__ import annotations

import re
from pathlib import Path

_TABLE = "tool.torchrl-preflight"


def line_of(complaint: str, path: Path) -> int:
    """The line that a `ConfigError` is about, as near as its message tells.

    Args:
        complaint: the message; it names the key by its dotted path, or the place where TOML ended.
        path: the file.

    Returns:
        A line from 1; 1 where the message names nothing in the file.
    """
    if place := re.search(r"\(at line (\d+)", complaint):
        return int(place[1])
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 1
    starts = [number for number, line in enumerate(lines, 1) if line.lstrip(" [").startswith(_TABLE)]
    named = re.findall(rf"{re.escape(_TABLE)}\.([\w.-]+)|unknown \w+ '([^']+)'", complaint)
    for words in reversed([word for pair in named for word in pair if word]):
        key = words.rpartition(".")[2]
        for number, line in enumerate(lines[starts[0] - 1 :] if starts else [], starts[0] if starts else 1):
            if re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", line):
                return number
    return starts[0] if starts else 1
