"""Edits on the concrete syntax tree: the file as it is, one place changed.

A page of documentation has no such tree: its edits get the text. LibCST is imported here and in the ``repair`` functions of rules only, when a finding asks for it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .facts.source import BOM, decode, encoding
from .finding import Finding

if TYPE_CHECKING:
    import libcst as cst

Repair = Callable[["cst.Module", Finding], "cst.Module | None"]


class Text(NamedTuple):
    """What a repair of a file that is not Python gets and gives; ``code`` as a LibCST module has it."""

    code: str


class Editable:
    """A file that has something to repair, parsed once for all of it.

    Args:
        path: as the tree names it.
        data: the file as it is.
    """

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data
        self._bom = BOM if data.startswith(BOM) else b""
        if not path.endswith(".py"):
            # Bytes that are no UTF-8 stay what they are.
            self._module = Text(data.removeprefix(BOM).decode("utf-8", "surrogateescape"))
            return
        import libcst as cst

        try:
            # Decoded here: LibCST refuses a cookie with anything but ASCII in its line, Python does not.
            self._module = cst.parse_module(decode(data))
        except (cst.ParserSyntaxError, SyntaxError, RecursionError):
            self._module = None

    def repaired(self, repairs: Iterable[tuple[Repair, Finding]]) -> bytes | None:
        """The file after the repairs, one after the other, or None where none of them changes it.

        Encoding, BOM, line ends and the final newline stay what they were.
        """
        module = self._module
        try:
            for repair, finding in repairs if module else ():
                module = repair(module, finding) or module
            if module is self._module:
                return None
            if isinstance(module, Text):
                return self._bom + module.code.encode("utf-8", "surrogateescape")
            return self._bom + module.code.encode(encoding(self.data))
        except RecursionError:
            # LibCST takes several calls for each level of nesting; a finding without an edit is still one.
            return None

    def patch(self, after: bytes) -> str:
        """The way to ``after`` as ``git apply`` takes it; bytes that are no UTF-8 are surrogates."""
        import difflib

        lines = []
        names = _header("a", self.path), _header("b", self.path)
        for line in difflib.unified_diff(_lines(self.data), _lines(after), *names, n=3):
            lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
        return "".join(lines)


def write(path: Path, data: bytes) -> None:
    """Replaces a file at once, keeping its mode: nobody sees half of it.

    Raises:
        OSError: the folder or the file cannot be written; the file is then as it was.
    """
    import tempfile

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
    # Whatever the file's encoding, a patch must hold the file's bytes. Only newlines end a line of a
    # patch; a lone carriage return stays in it.
    return [line for line in data.decode("utf-8", "surrogateescape").replace("\n", "\n\0").split("\0") if line]


def _header(prefix: str, path: str) -> str:
    """A path as git writes it in a patch: quoted where it holds what would end the line or is no text."""
    escaped = "".join(map(_escape, path))
    return f"{prefix}/{path}" if escaped == path else f'"{prefix}/{escaped}"'


def _escape(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    # A byte that is no UTF-8 is one of the last 128 low surrogates (PEP 383).
    byte = os.fsencode(character)[0] if "\udc80" <= character <= "\udcff" else ord(character)
    return f"\\{byte:03o}" if byte < 32 or byte == 127 or character != chr(byte) else character
