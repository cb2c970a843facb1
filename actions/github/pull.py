"""Which pull request a run belongs to, by what GitHub says: never by what the run left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .client import GitHub


class Run(NamedTuple):
    """A run of the workflow that judged a pull request.

    Args:
        order: its id and its attempt; a later run or attempt has a greater one.
        head: commit that it judged.
        branch, owner, repository: where that commit came from.
        numbers: pull requests that GitHub names; none for a fork's.
    """

    order: tuple[int, int]
    head: str
    branch: str
    owner: str
    repository: str
    event: str
    workflow: int
    numbers: tuple[int, ...]

    @property
    def id(self) -> int:
        """The run's id, the same for all of its attempts."""
        return self.order[0]


def run_of(found: Mapping[str, Any]) -> Run:
    """A run as an event's payload or the API describes it."""
    source = found.get("head_repository") or {}
    return Run(
        (int(found["id"]), int(found.get("run_attempt") or 1)),
        str(found["head_sha"]),
        str(found.get("head_branch") or ""),
        str((source.get("owner") or {}).get("login") or ""),
        str(source.get("full_name") or ""),
        str(found["event"]),
        int(found["workflow_id"]),
        tuple(int(pull["number"]) for pull in found.get("pull_requests") or ()),
    )


def pull_of(github: GitHub, run: Run) -> tuple[int | None, str]:
    """The number of the open pull request whose head a run judged, or None and why there is none.

    Raises:
        Failure: GitHub does not say.
    """
    if run.event not in ("pull_request", "pull_request_target"):
        return None, f"the run was for {run.event}, which has no pull request"
    if not run.owner or not run.branch:
        return None, "the repository or the branch that the run judged is gone"
    source = f"{run.owner}:{run.branch}"
    found = [
        pull
        for pull in github.pages("find the pull request", "pulls.list", head=source, state="open")
        if ((pull["head"] or {}).get("repo") or {}).get("full_name") == run.repository
    ]
    if not found:
        return None, f"no pull request from {source} is open"
    exact = [int(pull["number"]) for pull in found if pull["head"]["sha"] == run.head]
    if not exact:
        return None, f"superseded: {run.head[:12]} is no longer the head of {source}"
    named = [number for number in exact if number in run.numbers] or exact
    if len(named) > 1:
        return (
            None,
            f"{run.head[:12]} is the head of {len(named)} pull requests, and nothing says for which of them the run was",
        )
    return named[0], ""


def head_of(github: GitHub, number: int) -> str:
    """The commit that is the head of a pull request now.

    Raises:
        Failure: GitHub does not say.
    """
    return github.call("read the pull request", "pulls.get", pull_number=number)["head"]["sha"]


def later_run(github: GitHub, run: Run, number: int) -> Run | None:
    """The finished run for the head that a pull request has now, where it is no longer the one that ``run`` judged.

    Raises:
        Failure: GitHub does not say.
    """
    head = head_of(github, number)
    if head == run.head:
        return None
    listing = github.call(
        "list the runs for the new head",
        "actions.list_workflow_runs",
        workflow_id=run.workflow,
        head_sha=head,
        status="completed",
        per_page=100,
    )
    found = [run_of(item) for item in listing["workflow_runs"] if item["head_sha"] == head]
    found = [item for item in found if item.repository == run.repository and item.event == run.event]
    return max(found, key=lambda item: item.order, default=None)
