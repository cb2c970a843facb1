"""A pull request's facts for a run by hand, read with the user's own token."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from torchrl_preflight.hooks.git import Git, GitError
from torchrl_preflight.hooks.pull_request import PullRequest

from .client import Failure
from .job import Unusable, client

_ADDRESS = re.compile(r"(?:https://(?:[^/@]+@)?|ssh://git@|git@)github\.com[:/]([^/]+/[^/]+?)(?:\.git)?/?")


class Facts(NamedTuple):
    """What GitHub says of a pull request.

    Args:
        words: title, description and author.
        base: commit that it is to be merged onto, and the branch's name.
        head: its newest commit.
        labels: that it has.
    """

    words: PullRequest
    base: tuple[str, str]
    head: str
    labels: tuple[str, ...]


def facts(number: int, git: Git, environment: Mapping[str, str]) -> Facts:
    """Asks GitHub for a pull request of the repository that the clone's remote, or GITHUB_REPOSITORY, names.

    Raises:
        Unusable: there is no token, no ghapi or no repository to ask about, or it has no such pull request.
        Failure: GitHub does not answer.
    """
    token = environment.get("GITHUB_TOKEN") or environment.get("GH_TOKEN") or ""
    if not token:
        raise Unusable("no token: set GITHUB_TOKEN or GH_TOKEN to one that may read pull requests")
    repository = environment.get("GITHUB_REPOSITORY") or _repository(git)
    if not repository:
        raise Unusable("neither the remote upstream nor origin is on github.com; set GITHUB_REPOSITORY to owner/name")
    github = client({**environment, "GITHUB_TOKEN": token, "GITHUB_REPOSITORY": repository})
    try:
        found = github.call(f"read pull request {number} of {repository}", "pulls.get", pull_number=number)
    except Failure as failure:
        if failure.status == 404:
            raise Unusable(f"{repository} has no pull request {number} that this token may read") from failure
        raise
    user = found["user"] or {}
    author = str(user.get("login") or "")
    bot = user.get("type") == "Bot" or author.endswith("[bot]")
    return Facts(
        PullRequest(str(found["title"]), str(found["body"] or ""), author, bot),
        (str(found["base"]["sha"]), str(found["base"]["ref"])),
        str(found["head"]["sha"]),
        tuple(str(label["name"]) for label in found["labels"]),
    )


def _repository(git: Git) -> str:
    """Where pull requests of this clone go: a fork's ``upstream`` before its ``origin``."""
    for remote in ("upstream", "origin"):
        try:
            address = git.text("remote", "get-url", remote)
        except GitError:
            continue
        if found := _ADDRESS.fullmatch(address):
            return found[1]
    return ""
