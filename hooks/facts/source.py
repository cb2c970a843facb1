"""Bytes of a Python file -> text and the spans of its nodes."""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

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


def walk(node: ast.AST | None) -> list[ast.AST]:
    """A node and everything in it, as ``ast.walk`` at a third of its price."""
    found = [] if node is None else [node]
    for each in found:
        for name in each._fields:
            value = getattr(each, name, None)
            if value.__class__ is list:
                found += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST) and value.__class__ is not ast.Load:
                found.append(value)
    return found


def first_line(node: ast.stmt) -> int:
    """The line that a statement begins on, which is its first decorator's where it has one."""
    above = getattr(node, "decorator_list", ())
    return above[0].lineno if above else node.lineno


class Source:
    """Lines of a parsed file, for cutting out nodes.

    Args:
        text: the decoded file. The parser counts columns in UTF-8 bytes, whatever the file's encoding.
    """

    def __init__(self, text: str) -> None:
        self.data = text.encode("utf-8", "surrogatepass")
        self.lines = self.data.splitlines(keepends=True)
        self._ends: list[int] = []
        self._holding: dict[tuple[bytes, ...], list[int]] = {}

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

    def holding(self, words: tuple[bytes, ...]) -> list[int]:
        """Numbers of the lines that hold any of some words, comments and strings included."""
        if words not in self._holding:
            self._holding[words] = sorted({line for word in words for line in self._holding_one(word)})
        return self._holding[words]

    def mentions(self, first: int, last: int, words: tuple[bytes, ...]) -> bool:
        """Whether any of some words stands on the lines from ``first`` to ``last``."""
        lines = self.holding(words)
        at = bisect_left(lines, first)
        return at < len(lines) and lines[at] <= last

    def _holding_one(self, word: bytes) -> Iterator[int]:
        at = self.data.find(word)
        while at >= 0:
            self._ends = self._ends or list(accumulate(map(len, self.lines)))
            line = bisect_right(self._ends, at)
            yield line + 1
            at = self.data.find(word, self._ends[line])
