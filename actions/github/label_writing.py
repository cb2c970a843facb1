"""Labels on a pull request: only ones that the base's labeler knows are set, one by one, and only what we set is taken off."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from torchrl_preflight.hooks.facts.labeler import labels as facts

from .client import Failure, GitHub
from .comment import author

CONFIG = ".github/labeler.yml"
TRIGGERS = "ci/"
"""What the names of labels begin with that only start jobs. One that a workflow's token sets starts none, so they are people's."""


class Written(NamedTuple):
    """What came of writing.

    Args:
        added, removed: labels that were set and taken off now.
        ours: labels that were set now or before and have not been taken off by us.
        said: one line for each label that was left alone, and why.
        starting: what people must do for jobs that labels start.
        failure: what ended the writing; None where nothing did.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    ours: tuple[str, ...]
    said: tuple[str, ...]
    starting: tuple[str, ...]
    failure: Failure | None


def write(github: GitHub, number: int, rows: Sequence[dict[str, Any]], before: Iterable[str] = ()) -> Written:
    """Sets the labels that a change needs.

    Args:
        rows: what the run says is needed: label, path, reason and jobs.
        before: labels that earlier runs have set. One of them that is gone was taken off by somebody, and stays off; one
            that is no longer needed is taken off, unless somebody else has set it since.
    """
    added: list[str] = []
    removed: list[str] = []
    said: list[str] = []
    mine = dict.fromkeys(before)
    failure = None
    try:
        base = github.call("read the pull request", "pulls.get", pull_number=number)["base"]["ref"]
        known = _known(github, base)
        there = _there(github, number)
        wanted = [row["label"] for row in rows if _allowed(row["label"], known)]
        for name in dict.fromkeys(wanted):
            if name.lower() in there:
                continue
            if name in mine:
                said.append(f"{name} was taken off by somebody, so it is not set again")
                continue
            # One by one, and never the whole list: what people set meanwhile stays.
            github.call(f"set the label {name}", "issues.add_labels", issue_number=number, labels=[name])
            added.append(name)
            mine[name] = None
        for name in [name for name in mine if name not in wanted and not name.startswith(TRIGGERS)]:
            if name.lower() in there and _last_set_by(github, number, name) == author(github):
                github.delete_label(f"take off the label {name}", number, name)
                removed.append(name)
            del mine[name]
        unknown = [row["label"] for row in rows if not row["label"].startswith(TRIGGERS) and row["label"] not in known]
        if unknown:
            said.append(f"not set, since {CONFIG} on {base} does not know them: {', '.join(unknown)}")
    except Failure as error:
        failure = error
    return Written(tuple(added), tuple(removed), tuple(mine), tuple(said), tuple(_starting(rows, added)), failure)


def _starting(rows: Sequence[dict[str, Any]], added: Sequence[str]) -> list[str]:
    """What people must do for the jobs that labels start."""
    theirs = [row["label"] for row in rows if row["label"].startswith(TRIGGERS)]
    started = [row["label"] for row in rows if row["label"] in added and row["jobs"]]
    said = []
    if theirs:
        said.append(f"set by hand what only starts jobs ({', '.join(theirs)}), then push again or re-run")
    if started:
        said.append(f"a label that a workflow sets starts no job ({', '.join(started)}): push again or re-run")
    return said


def _allowed(name: str, known: set[str]) -> bool:
    return name in known and not name.startswith(TRIGGERS) and name not in (".", "..")


def _known(github: GitHub, ref: str) -> set[str]:
    """The labels that the base's own labeler may set: a run's files are the pull request's, its base is not."""
    try:
        found = github.call(f"read {CONFIG} on {ref}", "repos.get_content", path=CONFIG, ref=ref)
    except Failure as failure:
        if failure.status == 404:
            return set()
        raise
    content = found.get("content") if isinstance(found, dict) else None
    return {label.name for label in facts(base64.b64decode(content or "")).labels}


def _there(github: GitHub, number: int) -> set[str]:
    """Labels of a pull request; GitHub takes no notice of capitals."""
    return {
        str(item["name"]).lower()
        for item in github.pages("read the labels", "issues.list_labels_on_issue", issue_number=number)
    }


def _last_set_by(github: GitHub, number: int, name: str) -> str:
    """Who set a label the last time; "" where nobody did."""
    last = ""
    for item in github.pages("read who set the labels", "issues.list_events", issue_number=number):
        if item["event"] == "labeled" and (item.get("label") or {}).get("name", "").lower() == name.lower():
            last = str((item["actor"] or {}).get("login") or "")
    return last
