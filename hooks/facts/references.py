"""Docstrings -> the references that they make, read with docutils."""

from __future__ import annotations

from collections.abc import Iterator

from .rst import Role, inline
from .texts import Text


def references(found: list[Text]) -> tuple[Role, ...]:
    """Roles of the Python domain in docstrings, by the line of the file."""
    spoken = [text for text in found if ":`" in text.text]
    if not spoken:
        return ()
    paragraphs = [(text, line, chunk) for text in spoken for line, chunk in _prose(text.text)]
    return tuple(role._replace(line=home.at(role.line)) for home, role in inline(paragraphs))


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """(line, lines) of each paragraph with a role; examples and literal blocks have none."""
    literal = margin = 0
    start, chunk = 0, []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.strip():
            start = start or number
            chunk.append(line)
            continue
        if chunk:
            indent = len(chunk[0]) - len(chunk[0].lstrip())
            literal = literal and indent > margin
            first = chunk[0].lstrip()
            if not literal and not first.startswith(">>>") and ":`" in "\n".join(chunk):
                yield start, "\n".join(chunk)
            if not literal and (chunk[-1].endswith("::") or first.startswith((".. code", ".. math"))):
                last = chunk[0] if first.startswith("..") else chunk[-1]
                literal, margin = 1, len(last) - len(last.lstrip())
        start, chunk = 0, []
