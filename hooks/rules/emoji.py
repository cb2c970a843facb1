"""An emoji in code, documentation, a commit message or the pull request's text.

What it protects: plain text. The house rule knows no exception: code, docstrings, comments, commits and descriptions.

An emoji is what Unicode presents as one by default; arrows, check marks, Greek letters and box drawings are not.

Bad:

    torchrl_logger.info("🎉 done")

Good:

    torchrl_logger.info("done")

How to fix: write it in words, or leave it out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ..change import Change
from ..facts.emoji import emoji
from ..facts.records import Emoji
from ..finding import Finding
from ..git import GitError
from ..kept import part
from ..project import Project
from ..project.bodies import lines
from ..project.vendored import vendored

SUMMARY = "An emoji in code, documentation, a commit message or the pull request's text"
SEVERITY = "warning"
SECTION = "8"

_TEXT = (
    ".py",
    ".pyi",
    ".md",
    ".rst",
    ".txt",
    ".yml",
    ".yaml",
    ".toml",
    ".cfg",
    ".ini",
    ".sh",
    ".cpp",
    ".h",
    ".cu",
    ".cmake",
    ".ipynb",
)
# Only where one of these bytes stands can there be an emoji: the first of what UTF-8 makes of their blocks.
_FIRST = (
    b"\xf0\x9f",
    b"\xe2\x8c",
    b"\xe2\x8f",
    b"\xe2\x96",
    b"\xe2\x97",
    *(b"\xe2" + bytes([byte]) for byte in range(0x98, 0xA0)),
    b"\xe2\xac",
    b"\xe2\xad",
)


def check(change: Change) -> Iterator[Finding]:
    yield from part(change, "emoji in files", lambda: _in_files(change))
    for where, text in _messages(change):
        for item in emoji(text)[:1]:
            yield Finding(
                ".",
                None,
                where,
                f"{item.character} in {where} is an emoji ({_called(item.character)})",
                "Say it in words.",
                text=where,
            )


def _in_files(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged:
        found = _in_file(project, path) if path.endswith(_TEXT) and not vendored(project, path) else ()
        for item in found:
            yield Finding(
                path,
                item.line,
                _called(item.character),
                f"{item.character} is an emoji ({_called(item.character)})",
                "Say it in words, or leave it out.",
                text=_line(project, path, item.line),
                column=item.column,
            )


def _in_file(project: Project, path: str) -> tuple[Emoji, ...]:
    if path.endswith(".py"):
        module = project.module(path)
        return module.emoji if module else ()
    data = project.tree.read(path)
    if data is None or data.isascii() or not any(first in data for first in _FIRST):
        return ()
    return emoji(data.decode("utf-8", "replace"))


def _line(project: Project, path: str, line: int) -> str:
    found = lines(project, path) if path.endswith(".py") else (project.text(path) or "").split("\n")
    return found[line - 1].strip() if line <= len(found) else ""


def _called(character: str) -> str:
    return unicodedata.name(character, f"U+{ord(character):X}")


def _messages(change: Change) -> Iterator[tuple[str, str]]:
    """What the pull request says, and the messages of the commits between the base and what is judged."""
    yield "the pull request's title", change.pull_request.title
    yield "the pull request's description", change.pull_request.body
    git = change.project.tree.git
    if git is None or change.before is None or change.project.tree.label == "index":
        return
    head = "HEAD" if change.project.tree.label == "working tree" else change.project.tree.label
    try:
        log = git.text("log", "-z", "--format=%h %B", f"{change.before.tree.label}..{head}")
    except GitError:
        return
    for message in filter(None, log.split("\0")):
        commit, _, text = message.partition(" ")
        yield f"the message of commit {commit}", text
