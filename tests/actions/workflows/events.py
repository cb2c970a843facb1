"""Payloads in the shape that GitHub sends, cut to what is read here and in workflows: ids, names, refs, people."""

from __future__ import annotations

from typing import Any

ZERO = "0" * 40
_OWNER, _NAME = "pytorch", "rl"


def repository(owner: str = _OWNER) -> dict[str, Any]:
    """A repository as every event has it."""
    return {
        "id": 210, "name": _NAME, "full_name": f"{owner}/{_NAME}", "private": False, "fork": owner != _OWNER,
        "default_branch": "main", "owner": user(owner), "html_url": f"https://github.com/{owner}/{_NAME}",
    }  # fmt: skip


def user(login: str) -> dict[str, Any]:
    """A person, or ``name[bot]``."""
    return {"login": login, "id": 7, "type": "Bot" if login.endswith("[bot]") else "User", "site_admin": False}


def pull_request(
    base: str, head: str, *, title: str = "[Feature] Planted", branch: str = "topic", into: str = "main", body: str = "",
    author: str = "contributor", labels: tuple[str, ...] = (), number: int = 12, action: str = "synchronize",
) -> dict[str, Any]:  # fmt: skip
    """A pull request from a fork: ``base`` and ``head`` are commits."""
    fork = repository(author)
    return {
        "action": action, "number": number, "repository": repository(), "sender": user(author),
        "pull_request": {
            "number": number, "title": title, "body": body, "state": "open", "draft": False, "user": user(author),
            "author_association": "FIRST_TIME_CONTRIBUTOR", "labels": [{"name": name} for name in labels],
            "base": {"ref": into, "sha": base, "label": f"{_OWNER}:{into}", "repo": repository(), "user": user(_OWNER)},
            "head": {"ref": branch, "sha": head, "label": f"{author}:{branch}", "repo": fork, "user": user(author)},
        },
    }  # fmt: skip


def push(before: str, after: str, *, branch: str = "main", message: str = "change") -> dict[str, Any]:
    """A push; ``before`` is `ZERO` for the first one of a branch."""
    commit = {"id": after, "message": message, "author": {"name": "a", "email": "a@example.org"}}
    return {
        "ref": f"refs/heads/{branch}", "before": before, "after": after, "created": before == ZERO, "deleted": False,
        "forced": False, "repository": repository(), "sender": user("maintainer"), "commits": [commit],
        "head_commit": commit, "base_ref": None, "compare": "",
    }  # fmt: skip


def merge_group(base: str, head: str) -> dict[str, Any]:
    """Checks asked for by a merge queue."""
    return {
        "action": "checks_requested", "repository": repository(), "sender": user("github-merge-queue[bot]"),
        "merge_group": {
            "head_sha": head, "head_ref": f"refs/heads/gh-readonly-queue/main/pr-12-{base}", "base_sha": base,
            "base_ref": "refs/heads/main", "head_commit": {"id": head, "message": "merge"},
        },
    }  # fmt: skip


def workflow_dispatch(branch: str = "main") -> dict[str, Any]:
    """Started by hand."""
    return {
        "ref": f"refs/heads/{branch}", "inputs": None, "repository": repository(), "sender": user("maintainer"),
        "workflow": ".github/workflows/preflight.yml",
    }  # fmt: skip
