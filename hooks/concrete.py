"""Edits on the concrete syntax tree: the file as it is, one place changed.

LibCST is imported here and in the ``repair`` functions of rules only, when a finding asks for it.
"""

from __future__ import annotations

import difflib
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .facts.source import decode
from .finding import Finding

if TYPE_CHECKING:
    import libcst as cst

_BOM = b"\xef\xbb\xbf"

Repair = Callable[["cst.Module", Finding], "cst.Module | None"]


def repaired(data: bytes, repairs: Iterable[tuple[Repair, Finding]]) -> bytes | None:
    """The file after the repairs, one after the other, or None where none of them changes it.

    Encoding, BOM, line ends and the final newline stay what they were.
    """
    import libcst as cst

    bom = _BOM if data.startswith(_BOM) else b""
    try:
        before = cst.parse_module(data[len(bom) :])
    except (cst.ParserSyntaxError, UnicodeDecodeError, LookupError, RecursionError):
        return None
    module = before
    for repair, finding in repairs:
        module = repair(module, finding) or module
    return None if module is before else bom + module.bytes


def patch(path: str, before: bytes, after: bytes) -> str:
    """The difference as ``git apply`` takes it."""
    lines = []
    names = _header("a", path), _header("b", path)
    for line in difflib.unified_diff(_lines(before), _lines(after), *names, n=3):
        lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(lines)


def write(path: Path, data: bytes) -> None:
    """Replaces a file at once, keeping its mode: nobody sees half of it.

    Raises:
        OSError: the folder or the file cannot be written; the file is then as it was.
    """
    mode = stat.S_IMODE(path.stat().st_mode)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def change_definition(
    module: cst.Module, qualname: str, occurrence: int, edit: Callable[[Any], Any]
) -> cst.Module | None:
    """The module with one function or class edited.

    Args:
        qualname: ``Class.method``.
        occurrence: which of several definitions of the name, from 0, in the order of the file.
        edit: gets the node, returns the new one.

    Returns:
        None where there is no such definition or the edit changed nothing.
    """
    import libcst as cst

    seen = 0

    def statements(body: Sequence[Any], scope: str) -> Sequence[Any]:
        new = [statement(node, scope) for node in body]
        return new if any(a is not b for a, b in zip(new, body)) else body

    def statement(node: Any, scope: str) -> Any:
        nonlocal seen
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            name = f"{scope}.{node.name.value}" if scope else node.name.value
            if name == qualname:
                seen += 1
                return edit(node) if seen == occurrence + 1 else node
            return inside(node, name) if qualname.startswith(name + ".") else node
        if isinstance(node, cst.BaseCompoundStatement):
            return inside(node, scope)
        return node

    def inside(node: Any, scope: str) -> Any:
        changes = {}
        block = node.body
        if isinstance(block, cst.IndentedBlock):
            body = statements(block.body, scope)
            if body is not block.body:
                changes["body"] = block.with_changes(body=body)
        for name in ("orelse", "finalbody"):
            part = getattr(node, name, None)
            if part is not None and (new := inside(part, scope)) is not part:
                changes[name] = new
        handlers = getattr(node, "handlers", ())
        new_handlers = [inside(handler, scope) for handler in handlers]
        if any(a is not b for a, b in zip(new_handlers, handlers)):
            changes["handlers"] = new_handlers
        return node.with_changes(**changes) if changes else node

    body = statements(module.body, "")
    return None if body is module.body else module.with_changes(body=body)


def _lines(data: bytes) -> list[str]:
    try:
        text = ("\ufeff" if data.startswith(_BOM) else "") + decode(data)
    except SyntaxError:
        text = data.decode("utf-8", "replace")
    # Only newlines end a line of a patch; a lone carriage return stays in it.
    return [line for line in text.replace("\n", "\n\0").split("\0") if line]


def _header(prefix: str, path: str) -> str:
    """A path as git writes it in a patch: quoted where it holds what would end the line."""
    escaped = path.translate({ord(plain): escape for plain, escape in _ESCAPES.items()})
    return f"{prefix}/{path}" if escaped == path else f'"{prefix}/{escaped}"'


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
