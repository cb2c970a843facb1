"""The one comment on a pull request: written once, then kept up to date, whatever runs at the same time."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from .client import Failure, GitHub
from .pull import head_of

BOT = "github-actions[bot]"
"""Whose comments a workflow's own token writes; GitHub does not tell such a token its name."""

_MARK = re.compile(r"<!-- torchrl-preflight (\{[^<>\r\n]*\}) -->\r?\n")
_TRIES = 3
_LABELS = 50  # so that the line keeps to the room that it has


class Mark(NamedTuple):
    """The first line of the comment, hidden: what the comment is about and what goes with it.

    Args:
        head: commit that was judged.
        order: id and attempt of the run that judged it.
        labels: those that were set and have not been taken off again; None leaves what the comment says of them.
    """

    head: str
    order: tuple[int, int]
    labels: tuple[str, ...] | None = None

    def line(self) -> str:
        """The mark as a line of markdown that shows nothing."""
        told = json.dumps(
            {"head": self.head, "run": self.order, "labels": (self.labels or ())[:_LABELS]}, separators=(",", ":")
        )
        # A label must not end the comment of HTML: its characters stay the same as escapes.
        for character in "<>-":
            told = told.replace(character, f"\\u{ord(character):04x}")
        return f"<!-- torchrl-preflight {told} -->\n"


class Comment(NamedTuple):
    """A comment of ours."""

    id: int
    url: str
    mark: Mark


class Kept(NamedTuple):
    """What came of writing.

    Args:
        url: of the comment; "" where none was written.
        why: "" where it was written, else why not.
    """

    url: str
    why: str


def author(github: GitHub) -> str:
    """The login that comments are written as.

    Raises:
        Failure: GitHub does not say.
    """
    try:
        return str(github.call("ask whose token this is", "users.get_authenticated")["login"])
    except Failure as failure:
        if failure.refused:
            return BOT
        raise


def ours(github: GitHub, number: int, login: str) -> list[Comment]:
    """The comments that carry a mark and that we wrote, oldest first; anybody can copy a mark.

    Raises:
        Failure: GitHub does not give the comments.
    """
    found = []
    for item in github.pages("read the comments", "issues.list_comments", issue_number=number):
        mark = _mark(item["body"] or "") if (item["user"] or {}).get("login") == login else None
        if mark is not None:
            found.append(Comment(int(item["id"]), str(item["html_url"]), mark))
    return sorted(found)


def keep(github: GitHub, number: int, mark: Mark, body: str) -> Kept:
    """Brings the comment up to date, unless a newer run has or the head has moved.

    A run that is overtaken while it writes leaves the newer one's comment: each looks again after it has written, and the
    one that looks last sees all. What overtakes a change of the comment itself is for the caller to look after
    (`pull.later_run`).

    Raises:
        Failure: GitHub refuses, or still fails after some tries.
    """
    login = author(github)
    for _ in range(_TRIES):
        known = ours(github, number, login)
        if head_of(github, number) != mark.head:
            return Kept("", f"superseded: {mark.head[:12]} is no longer the pull request's head")
        if any(item.mark.head == mark.head and item.mark.order > mark.order for item in known):
            return Kept("", "a newer run for the same commit has reported")
        labels = known[0].mark.labels if mark.labels is None and known else mark.labels
        text = mark._replace(labels=labels).line() + body
        try:
            if known:
                written = github.call("update the comment", "issues.update_comment", comment_id=known[0].id, body=text)
            else:
                # Not repeated blindly: it might be there twice.
                written = github.call(
                    "write the comment", "issues.create_comment", again=False, issue_number=number, body=text
                )
        except Failure as failure:
            # Somebody has deleted it, or nobody knows whether it is there.
            if (known and failure.status == 404) or (not known and failure.passing and not failure.limited):
                last = failure
                continue
            raise
        return _settled(github, number, str(written["user"]["login"]), str(written["html_url"]))
    raise last


def _settled(github: GitHub, number: int, login: str, url: str) -> Kept:
    """One comment is left of those that runs at the same time have written: the newest run's."""
    known = ours(github, number, login)
    if not known:
        return Kept("", "somebody has deleted the comment")
    best = max(known, key=lambda item: (item.mark.order, -item.id))
    for item in known:
        if item.id != best.id:
            try:
                github.call("delete a second comment", "issues.delete_comment", comment_id=item.id)
            except Failure as failure:
                if failure.status != 404:
                    raise
    return Kept(best.url, "" if best.url == url else "a newer run has reported")


def _mark(body: str) -> Mark | None:
    found = _MARK.match(body)
    if found is None:
        return None
    try:
        told: Any = json.loads(found[1])
        run, attempt = told["run"]
        return Mark(str(told["head"]), (int(run), int(attempt)), tuple(map(str, told["labels"])))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
