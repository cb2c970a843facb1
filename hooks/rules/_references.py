"""A dead reference becomes a live one."""

from __future__ import annotations

import re

from ..concrete import Text
from ..facts.rst import read
from ..finding import Finding


def replace(module: Text, finding: Finding) -> Text | None:
    """The page with the one path that fits in the place of a dead one; None where it is not there any more."""
    kind, *rest = finding.fix
    if kind == "entry":
        return _entry(module, *rest)
    dead, live = rest
    code = re.sub(_in_role(dead), lambda found: found[1] + live, module.code)
    return None if code == module.code else Text(code)


def _in_role(dead: str) -> str:
    """A target within a role, alone or after a title."""
    return rf"(:[\w:]+:`(?:[^`<]*<)?~?){re.escape(dead)}(?=(?:\(\))?>?`)"


def _entry(module: Text, number: int, written: str, live: str) -> Text | None:
    blocks = read(module.code).blocks
    block = blocks[number] if number < len(blocks) else None
    entry = next((entry for entry in block.entries if entry.name == written), None) if block else None
    if entry is None:
        return None
    lines = module.code.splitlines(keepends=True)
    # Under a current module that does not begin the path, Sphinx would look below it.
    if block.module and not live.startswith(block.module + "."):
        return None
    name = live.removeprefix(block.module + ".") if block.module else live
    lines[entry.line - 1] = re.sub(rf"(?<![\w.]){re.escape(written)}(?![\w.])", name, lines[entry.line - 1], count=1)
    return Text("".join(lines))
