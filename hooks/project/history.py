"""The commits between two releases: their titles, pull requests and stacks, and which a release has shipped already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..git import Git, GitError
from . import Project
from .releases import Release, released

_IN_TITLE = re.compile(r"\(#(\d{1,9})\)")
_TRAILER = re.compile(
    r"^Pull-Request(?:-Resolved)?:[ \t]*(?:\S*/pull/|#)?(\d{1,9})/?[ \t]*\r?$", re.MULTILINE | re.IGNORECASE
)
_STACKED = re.compile(r"^ghstack-source-id:[ \t]*\S", re.MULTILINE | re.IGNORECASE)
_PICKED = re.compile(r"\(cherry picked from commit ([0-9a-f]{7,64})\)")
_REVERTED = re.compile(r"This reverts commit ([0-9a-f]{7,64})")
_TAG = re.compile(r"\s*\[([^\[\]]+)\]")
_SECONDS = 60
"""Commits of a stack land one right after the other."""


class Commit(NamedTuple):
    """One commit.

    Args:
        title: without the numbers at its end.
        numbers: pull requests that it names, its own first; empty where it names none.
        seconds: when it was committed.
        stacked: it came through a stack of pull requests.
        picked, reverted: ids of commits that it brings again or takes back, as written.
    """

    id: str
    title: str
    numbers: tuple[int, ...]
    author: str
    seconds: int
    stacked: bool
    picked: tuple[str, ...]
    reverted: tuple[str, ...]


def commits(git: Git, old: str, new: str) -> list[Commit]:
    """Those that ``new`` has and ``old`` has not, newest first, merges left out.

    Raises:
        GitError: git does not know one of the two.
    """
    log = git.text("log", "-z", "--no-merges", "--format=%H%x00%ct%x00%an%x00%s%x00%B", f"{old}..{new}", "--")
    fields = log.split("\0")
    return [_commit(*fields[at : at + 5]) for at in range(0, len(fields) - 4, 5)]


def tag_of(title: str) -> str:
    """What stands between a title's first brackets, of several with commas the first; "" where it begins with none."""
    found = _TAG.match(title)
    return found[1].partition(",")[0].strip() if found else ""


def stacks(found: list[Commit]) -> list[list[Commit]]:
    """The commits in their order, those of one stack together: neighbours with the stack's trailer that landed at one time."""
    groups: list[list[Commit]] = []
    for commit in found:
        last = groups[-1][-1] if groups else None
        beside = last is not None and commit.stacked and last.stacked and commit.author == last.author
        if beside and abs(last.seconds - commit.seconds) <= _SECONDS:
            groups[-1].append(commit)
        else:
            groups.append([commit])
    return groups


def shipped(project: Project, git: Git, old: str, new: str, found: Iterable[Commit]) -> dict[str, str]:
    """Commit id -> the release that has it already, by a backport that ``new`` does not contain."""
    by_number: dict[int, str] = {}
    by_id: dict[str, str] = {}
    by_title: dict[tuple[str, str], tuple[str, bool]] = {}
    for release in _beside(project, git, old, new):
        for commit in commits(git, new, release.tag):
            for number in commit.numbers:
                by_number.setdefault(number, release.tag)
            for picked in commit.picked:
                by_id.setdefault(picked, release.tag)
            by_title.setdefault((commit.title, commit.author), (release.tag, bool(commit.numbers)))
    answers = {}
    for commit in found:
        tag = next((by_number[number] for number in commit.numbers[:1] if number in by_number), "")
        tag = tag or next((tag for picked, tag in by_id.items() if commit.id.startswith(picked)), "")
        titled, numbered = by_title.get((commit.title, commit.author), ("", True))
        # The same title again is another change where both have numbers of their own.
        tag = tag or (titled if not (numbered and commit.numbers) else "")
        if tag:
            answers[commit.id] = tag
    return answers


def taken_back(found: list[Commit]) -> dict[str, str]:
    """Commit id -> id of the other, for each commit of a list that another one reverts, and for that one."""
    answers = {}
    for commit in found:
        for other in found:
            if any(other.id.startswith(written) for written in commit.reverted) and commit.id not in answers:
                answers |= {commit.id: other.id, other.id: commit.id}
    return answers


def _beside(project: Project, git: Git, old: str, new: str) -> Iterator[Release]:
    """Releases since the two lines parted that ``new`` is not built on: patches of a line of their own."""
    try:
        parted = git.text("show", "-s", "--format=%ct", git.text("merge-base", old, new), "--")
    except GitError:
        return  # no common history
    for release in released(project):
        if release.date >= int(parted) and git.text("rev-list", "-n1", f"{new}..{release.tag}", "--"):
            yield release


def _commit(identity: str, seconds: str, author: str, subject: str, message: str) -> Commit:
    numbers = [int(number) for number in reversed(_IN_TITLE.findall(subject))]
    numbers += [int(number) for number in _TRAILER.findall(message)]
    return Commit(
        identity.strip(),
        " ".join(_IN_TITLE.sub("", subject).split()),
        tuple(dict.fromkeys(numbers)),
        author,
        int(seconds),
        _STACKED.search(message) is not None,
        tuple(_PICKED.findall(message)),
        tuple(_REVERTED.findall(message)),
    )
