"""What is known about the pull request that a change belongs to: from the command line or from GitHub's event."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple


class PullRequest(NamedTuple):
    """A pull request's words.

    Args:
        title: "" where there is no pull request.
        body: its description.
        author: login; GitHub writes bots as ``name[bot]``.
        bot: whether a program opened it.
    """

    title: str = ""
    body: str = ""
    author: str = ""
    bot: bool = False


def known(title: str, environment: Mapping[str, str] = os.environ) -> PullRequest:
    """The pull request of a title given by hand, else that of the event payload that GitHub Actions names."""
    if title:
        return PullRequest(title)
    payload = _payload(environment.get("GITHUB_EVENT_PATH", "")).get("pull_request")
    if not isinstance(payload, dict):
        return PullRequest()
    user = payload.get("user") if isinstance(payload.get("user"), dict) else {}
    author = str(user.get("login") or "")
    return PullRequest(
        str(payload.get("title") or ""),
        str(payload.get("body") or ""),
        author,
        user.get("type") == "Bot" or author.endswith("[bot]"),
    )


def _payload(path: str) -> dict[str, Any]:
    if not path:
        return {}
    import json

    try:
        with open(path, encoding="utf-8") as stream:
            found = json.load(stream)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
