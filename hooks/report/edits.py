"""Edits as whole lines to put in the place of others: what SARIF calls a fix and GitHub a suggested change."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from . import Report

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_ESCAPED = re.compile(rb'\\([0-7]{3}|["\\])')


class Replacement(NamedTuple):
    """Lines of a file and what takes their place.

    Args:
        first, last: counted from 1, both included; there is at least one, since neither a SARIF viewer nor GitHub's
            suggestions are sure to take nothing for a place.
        text: the new lines with their ends, "" where the lines only go.
    """

    path: str
    first: int
    last: int
    text: str


def suggested(report: Report) -> str:
    """The edits of what is shown as one JSON object, for programs that propose them on a pull request."""
    edits = [
        {
            "rule": item.rule,
            "path": item.path,
            "line": item.line,
            "symbol": item.symbol,
            "safe": item.edit.safe,
            "replacements": [part._asdict() for part in parts],
        }
        for item in report.shown
        if item.edit and (parts := replacements(item.edit.patch))
    ]
    return json.dumps({"schema": 1, "edits": edits}, indent=1).replace("##[", "\\u0023#[") + "\n"


def replacements(patch: str) -> list[Replacement]:
    """The replacements of a unified diff as ``Edit.patch`` has it, in the order of the patch.

    None for a patch with bytes that are no text, which only a patch can say, nor for lines that an empty file gets.
    """
    try:
        patch.encode()
    except UnicodeEncodeError:
        return []
    return list(_replacements(patch))


def _replacements(patch: str) -> Iterator[Replacement]:
    path, lines, at = "", patch.removesuffix("\n").split("\n"), 0
    while at < len(lines):
        line, at = lines[at], at + 1
        if line.startswith("+++ "):
            path = _path(line[4:])
        elif found := _HUNK.match(line):
            old, new = (int(count or 1) for count in found.group(2, 3))
            hunk, at = _hunk(lines, at, old, new)
            yield from _runs(path, int(found[1]), hunk)


def _hunk(lines: list[str], at: int, old: int, new: int) -> tuple[list[tuple[str, str]], int]:
    """(sign, line with its end) of the lines of a hunk, which its counts delimit, and the place behind it."""
    hunk: list[tuple[str, str]] = []
    while at < len(lines) and (old or new or lines[at].startswith("\\")):
        sign, text = lines[at][:1], lines[at][1:]
        at += 1
        if sign == "\\":
            hunk[-1] = (hunk[-1][0], hunk[-1][1].removesuffix("\n"))
            continue
        old -= sign != "+"
        new -= sign != "-"
        hunk.append((sign, text + "\n"))
    return hunk, at


def _runs(path: str, number: int, hunk: list[tuple[str, str]]) -> Iterator[Replacement]:
    """The stretches of a hunk between unchanged lines; a mere insertion takes the line before it along, or the next.

    One unchanged line alone does not part two stretches: both might need it.
    """
    at = 0
    while at < len(hunk):
        if hunk[at][0] == " ":
            number, at = number + 1, at + 1
            continue
        start = at
        while at < len(hunk) and any(sign != " " for sign, _ in hunk[at : at + 2]):
            at += 1
        gone = sum(sign != "+" for sign, _ in hunk[start:at])
        text = "".join(line for sign, line in hunk[start:at] if sign != "-")
        if gone:
            yield Replacement(path, number, number + gone - 1, text)
        elif start:
            yield Replacement(path, number - 1, number - 1, hunk[start - 1][1] + text)
        elif at < len(hunk):
            yield Replacement(path, number, number, text + hunk[at][1])
        number += gone


def _path(header: str) -> str:
    """The path of a patch's header as the tree names it."""
    if header.startswith('"'):
        data = _ESCAPED.sub(
            lambda found: found[1] if found[1] in (b'"', b"\\") else bytes([int(found[1], 8)]),
            header[1:-1].encode("utf-8", "surrogateescape"),
        )
        header = data.decode("utf-8", "surrogateescape")
    return header[2:]
