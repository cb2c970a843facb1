"""What a pytest command line selects: its arguments, and the expressions of ``-k`` and ``-m``."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

# Options that take the next word as their value; of the others, a word that follows is a path if the tree has it.
_TAKES = frozenset(
    (
        "-k",
        "-m",
        "-p",
        "-n",
        "-c",
        "-o",
        "-W",
        "-r",
        "--ignore",
        "--ignore-glob",
        "--deselect",
        "--durations",
        "--durations-min",
        "--timeout",
        "--timeout-method",
        "--maxfail",
        "--junitxml",
        "--junit-xml",
        "--cov-report",
        "--rootdir",
        "--confcutdir",
        "--dist",
        "--tb",
        "--capture",
        "--benchmark-json",
        "--json-report-file",
        "--json-report-indent",
        "--reruns",
        "--reruns-delay",
        "--count",
        "--rank",
        "--basetemp",
        "--log-level",
        "--color",
        "--log-cli-level",
        "--numprocesses",
        "--override-ini",
        "--config-file",
        "--import-mode",
        "--maxprocesses",
        "--splits",
        "--group",
    )
)
_WORD = re.compile(r"\s*(?:([()])|((?:\w|:|\+|-|\.|\[|\]|\\|/)+))")


class Selection(NamedTuple):
    """The arguments of one pytest command, paths as written.

    Args:
        paths: files, folders and node ids; empty where pytest's configuration decides.
        keyword: the ``-k`` expression, or "".
        marker: the ``-m`` expression, or "".
        options: everything else that begins with a dash.
        unread: some argument could not be read and may select otherwise.
    """

    paths: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    ignore_globs: tuple[str, ...] = ()
    deselects: tuple[str, ...] = ()
    keyword: str = ""
    marker: str = ""
    options: tuple[str, ...] = ()
    unread: bool = False


def selection(words: list[str], exists: Callable[[str], bool], hidden: Callable[[str], bool]) -> Selection:
    """Reads the words after ``pytest``.

    Args:
        exists: whether a word names something in the tree.
        hidden: whether a part of a word is not known.
    """
    paths, ignores, globs, deselects, options = [], [], [], [], []
    keyword = marker = ""
    unread = False
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        name, equals, given = word.partition("=") if word.startswith("--") else (word, "", "")
        if not word.startswith("-"):
            previous = words[at - 2] if at > 1 else ""
            if hidden(word):
                unread = True
            elif previous.startswith("--") and "=" not in previous and not exists(word) and not _is_path(word):
                options.append(word)
            else:
                paths.append(word)
            continue
        if not equals and re.match(r"-[kmnp].", word) and not word.startswith("--"):
            name, given, equals = word[:2], word[2:], "="
        if name in _TAKES and not equals and at < len(words):
            given = words[at]
            at += 1
        if name in ("-k", "-m", "--ignore", "--ignore-glob", "--deselect") and hidden(given):
            unread = True
        elif name == "-k":
            keyword = given
        elif name == "-m":
            marker = given
        elif name == "--ignore":
            ignores.append(given)
        elif name == "--ignore-glob":
            globs.append(given)
        elif name == "--deselect":
            deselects.append(given)
        else:
            options.append(word)
    return Selection(
        tuple(paths), tuple(ignores), tuple(globs), tuple(deselects), keyword, marker, tuple(options), unread
    )


def matches(expression: str, holds: Callable[[str], bool | None]) -> bool | None:
    """Evaluates an expression of ``-k`` or ``-m``.

    Args:
        holds: whether one name matches, None where that cannot be known.

    Returns:
        None where the answer hangs on a name that cannot be known, or the expression is malformed.
    """
    tokens = _tokens(expression)
    if tokens is None or not tokens[0]:
        return None if tokens is None else True
    reader = _Expression(tokens, holds)
    try:
        found = reader.either()
    except (ValueError, RecursionError):
        return None
    return found if reader.at == len(tokens) - 1 else None


@lru_cache(maxsize=256)
def _tokens(expression: str) -> tuple[str, ...] | None:
    """The tokens with an empty one at the end; None where it is malformed."""
    tokens, at = [], 0
    text = expression.strip()
    while at < len(text):
        match = _WORD.match(text, at)
        if match is None:
            return None
        tokens.append(match[0].strip())
        at = match.end()
    return (*tokens, "")


class _Expression:
    def __init__(self, tokens: tuple[str, ...], holds: Callable[[str], bool | None]) -> None:
        self.tokens = tokens
        self.holds = holds
        self.at = 0

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def either(self) -> bool | None:
        found = self.both()
        while self.tokens[self.at] == "or":
            self.at += 1
            other = self.both()
            found = True if found or other else None if None in (found, other) else False
        return found

    def both(self) -> bool | None:
        found = self.one()
        while self.tokens[self.at] == "and":
            self.at += 1
            other = self.one()
            found = False if found is False or other is False else None if None in (found, other) else True
        return found

    def one(self) -> bool | None:
        token = self.take()
        if token == "not":
            found = self.one()
            return None if found is None else not found
        if token == "(":
            found = self.either()
            if self.take() != ")":
                raise ValueError("unbalanced")
            return found
        if token in ("", ")", "and", "or"):
            raise ValueError("a name is missing")
        return self.holds(token)


def names(expression: str) -> set[str]:
    """The names that an expression of ``-k`` or ``-m`` asks about."""
    return {match[2] for match in _WORD.finditer(expression) if match[2]} - {"and", "or", "not"}


def _is_path(word: str) -> bool:
    return "/" in word or ".py" in word or "::" in word or word in (".", "..")
