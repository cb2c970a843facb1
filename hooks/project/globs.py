"""Glob patterns as minimatch reads them, the library of GitHub's labeler: a pattern becomes a regular expression.

Stars and question marks do not cross a slash, ``**`` as a whole part does, a leading ``!`` negates, braces and
extended patterns (``@(a|b)``, ``!(a)``) are known, ``#`` begins a comment. Names that begin with a dot are matched like
others, as the labeler asks for.
"""

from __future__ import annotations

import re
from functools import lru_cache

_CLASSES = {
    "[:alpha:]": "a-zA-Z",
    "[:digit:]": "0-9",
    "[:alnum:]": "a-zA-Z0-9",
    "[:upper:]": "A-Z",
    "[:lower:]": "a-z",
    "[:space:]": r"\s",
    "[:word:]": r"\w",
    "[:xdigit:]": "0-9a-fA-F",
    "[:punct:]": re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    "[:blank:]": r" \t",
}
_MAGIC = re.compile(r"[][*?{}()!#\\+@]|//")
_MOST = 1000
"""More alternatives than this come from a pattern that nobody meant."""


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern matches a path."""
    negated, texts = _compiled(pattern)
    if isinstance(texts, str):
        return path.startswith(texts) and path != texts if pattern != texts else path == texts
    return any([text.fullmatch(path) for text in texts]) != negated


def expand(pattern: str) -> list[str]:
    """The patterns that braces stand for, in order: ``{a,b}`` and ``{1..3}``."""
    found = [""]
    at = 0
    while at < len(pattern):
        if pattern[at] == "\\" and at + 1 < len(pattern):
            found = [text + pattern[at : at + 2] for text in found]
            at += 2
            continue
        if pattern[at] == "{" and (end := _closing(pattern, at)):
            inner = _alternatives(pattern[at + 1 : end])
            if inner is not None:
                found = [text + more for text in found for more in inner][:_MOST]
                at = end + 1
                continue
        found = [text + pattern[at] for text in found]
        at += 1
    return found


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> tuple[bool, str | tuple[re.Pattern[str], ...]]:
    # Most patterns are a path or a folder, and need no regular expression.
    folder = pattern.removesuffix("/**")
    if not _MAGIC.search(folder):
        return False, pattern if folder == pattern else folder + "/"
    if pattern.startswith("#"):
        return False, ()
    rest = pattern.lstrip("!") if not pattern.startswith("!(") else pattern
    negated = (len(pattern) - len(rest)) % 2 == 1
    return negated, tuple([re.compile(_path(text), re.DOTALL) for text in expand(rest)])


def _path(pattern: str) -> str:
    """A regular expression for a pattern without braces."""
    parts = re.split(r"/+", pattern)
    text = ""
    for position, part in enumerate(parts):
        last = position == len(parts) - 1
        if part == "**":
            # Any number of folders; at the end at least what follows the slash.
            text += ".*" if last and position == 0 else ".+" if last else "(?:[^/]+/)*"
        else:
            text += _part(part) + ("" if last else "/")
    return text


def _part(part: str) -> str:
    text, at = "", 0
    while at < len(part):
        character = part[at]
        if character == "\\" and at + 1 < len(part):
            text += re.escape(part[at + 1])
            at += 2
        elif character in "?*+@!" and part[at + 1 : at + 2] == "(" and (end := _closing(part, at + 1, "()")):
            inner = "|".join(map(_part, _split(part[at + 2 : end], "|")))
            if character == "!":
                text += f"(?!(?:{inner}){_part(part[end + 1 :])}(?:/|$))[^/]*"
            else:
                text += f"(?:{inner})" + {"?": "?", "*": "*", "+": "+", "@": ""}[character]
            at = end + 1
        elif character == "*":
            while part[at : at + 1] == "*":
                at += 1
            text += "[^/]*" if text or at < len(part) else "[^/]+"
        elif character == "?":
            text += "[^/]"
            at += 1
        elif character == "[" and (end := _bracket(part, at)):
            text += _class(part[at + 1 : end])
            at = end + 1
        else:
            text += re.escape(character)
            at += 1
    return text


def _class(inner: str) -> str:
    negated = inner[0] in "!^"
    inner = inner[1:] if negated else inner
    for name, ranges in _CLASSES.items():
        inner = inner.replace(name, f"\0{ranges}\1")
    pieces = re.split("\0(.*?)\1", inner)
    text = "".join(
        piece if position % 2 else re.sub(r"([\\\[\]^&~|])", r"\\\1", piece) for position, piece in enumerate(pieces)
    )
    try:
        re.compile(f"[{text}]")
    except re.error:
        return "(?!)"
    return f"(?!/)[{'^' if negated else ''}{text}]"


def _bracket(part: str, start: int) -> int:
    at = start + 1
    if part[at : at + 1] in ("!", "^"):
        at += 1
    # A bracket that comes first stands for itself.
    at += part[at : at + 1] == "]"
    while at < len(part) and part[at] != "]":
        if part[at : at + 2] == "[:" and ":]" in part[at:]:
            at = part.index(":]", at) + 1
        at += 1
    return at if at < len(part) else 0


def _closing(text: str, start: int, pair: str = "{}") -> int:
    depth = 0
    at = start
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == pair[0]:
            depth += 1
        elif text[at] == pair[1]:
            depth -= 1
            if depth == 0:
                return at
        at += 1
    return 0


def _alternatives(inner: str) -> list[str] | None:
    """What stands between braces, taken apart; None where the braces stand for themselves."""
    ends = re.fullmatch(r"(-?\d+)\.\.(-?\d+)|([a-zA-Z])\.\.([a-zA-Z])", inner)
    if ends:
        numeric = ends[1] is not None
        first, last = (int(ends[1]), int(ends[2])) if numeric else (ord(ends[3]), ord(ends[4]))
        step = 1 if first <= last else -1
        values = range(first, last + step, step)
        return [str(value) if numeric else chr(value) for value in values[:_MOST]]
    parts = _split(inner, ",")
    return [text for part in parts for text in expand(part)] if len(parts) > 1 else None


def _split(text: str, separator: str) -> list[str]:
    """Splits at a separator outside of braces and parentheses."""
    parts, depth, last, at = [], 0, 0, 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] in "{(":
            depth += 1
        elif text[at] in "})":
            depth -= 1
        elif text[at] == separator and depth == 0:
            parts.append(text[last:at])
            last = at + 1
        at += 1
    return [*parts, text[last:]]
