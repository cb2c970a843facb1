"""Bytes of a Python file -> text and the spans of its nodes."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # PEP 263
_BLANK = re.compile(rb"^[ \t\f]*(?:[#\r]|$)")
BOM = b"\xef\xbb\xbf"


def encoding(data: bytes) -> str:
    """Encoding of a Python file, by its BOM or its encoding cookie, else UTF-8."""
    if data.startswith(BOM):
        return "utf-8"
    lines = data.split(b"\n", 2)[:2]
    cookie = _COOKIE.match(lines[0])
    if cookie is None and len(lines) > 1 and _BLANK.match(lines[0]):
        cookie = _COOKIE.match(lines[1])
    return cookie[1].decode() if cookie else "utf-8"


def decode(data: bytes) -> str:
    """Text of a Python file without its BOM.

    Raises:
        SyntaxError: the bytes are not what the file says that they are.
    """
    name = encoding(data)
    data = data.removeprefix(BOM)
    try:
        return data.decode(name)
    except LookupError as error:
        raise SyntaxError(f"unknown encoding {name!r} in the first two lines") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SyntaxError(f"not valid {name}: byte 0x{data[error.start]:02x}", ("", line, 1, "")) from error
    except UnicodeError as error:
        raise SyntaxError(f"not valid {name}: {error}") from error


@lru_cache(maxsize=1)
def parse(data: bytes) -> tuple[str, ast.Module]:
    """Text of a Python file and its tree, which nobody changes: whoever asks for the same file next gets the same.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: Python cannot read it.
    """
    text = decode(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return text, ast.parse(text)


class Source:
    """Lines of a parsed file, for cutting out nodes.

    Args:
        text: the decoded file. The parser counts columns in UTF-8 bytes, whatever the file's encoding.
    """

    def __init__(self, text: str) -> None:
        self.lines = text.encode("utf-8", "surrogatepass").splitlines(keepends=True)

    def of(self, node: ast.AST) -> str:
        """Source of a node, as it stands."""
        first, last = node.lineno - 1, node.end_lineno - 1
        if first == last:
            return self.lines[first][node.col_offset : node.end_col_offset].decode()
        parts = [self.lines[first][node.col_offset :], *self.lines[first + 1 : last]]
        parts.append(self.lines[last][: node.end_col_offset])
        return b"".join(parts).decode()

    def column(self, node: ast.AST) -> int:
        """Column of a node, from 1, in characters."""
        return len(self.lines[node.lineno - 1][: node.col_offset].decode()) + 1

    def mentions(self, node: ast.AST, words: tuple[bytes, ...]) -> bool:
        """Whether the lines of a node hold any of some words, comments and strings included."""
        text = b"".join(self.lines[node.lineno - 1 : node.end_lineno])
        return any(word in text for word in words)
