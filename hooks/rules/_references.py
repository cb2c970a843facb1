"""A dead reference becomes a live one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..concrete import Text
from ..facts.rst import read
from ..finding import Finding

if TYPE_CHECKING:
    import libcst as cst


def replace(module: Text | cst.Module, finding: Finding) -> Text | cst.Module | None:
    """The file with the one path that fits in the place of a dead one; None where it is not there any more."""
    kind, *rest = finding.fix
    if kind == "entry":
        return _entry(module, *rest)
    dead, live = rest
    if isinstance(module, Text):
        code = _with(module.code, dead, live)
        return None if code == module.code else Text(code)
    return _in_strings(module, dead, live)


def _with(text: str, dead: str, live: str) -> str:
    return re.sub(_in_role(dead), lambda found: found[1] + live, text)


def _in_strings(module: cst.Module, dead: str, live: str) -> cst.Module | None:
    """The module with a reference replaced in its docstrings and other strings of several lines."""
    import libcst as cst

    class Strings(cst.CSTTransformer):
        def leave_SimpleString(self, original_node: Any, updated_node: Any) -> Any:
            if dead not in updated_node.value:
                return updated_node
            return updated_node.with_changes(value=_with(updated_node.value, dead, live))

    after = module.visit(Strings())
    return None if after.code == module.code else after


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
