"""What the two entry points have in common: where they run, and how they say what GitHub refused."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from torchrl_preflight.hooks.command import guarded
from torchrl_preflight.hooks.report import printable

from ..workflow import annotate
from .client import Failure, GitHub
from .label_writing import Written


class Unusable(Exception):
    """The environment lacks what is needed; the message is one line."""


def client(environment: Mapping[str, str]) -> GitHub:
    """GitHub as the job's environment describes it.

    Raises:
        Unusable: there is no token, no repository or no ghapi.
    """
    if find_spec("ghapi") is None:
        raise Unusable("ghapi is not installed here: pip install 'torchrl-preflight[github]'")
    repository, token = environment.get("GITHUB_REPOSITORY", ""), environment.get("GITHUB_TOKEN", "")
    if not token:
        raise Unusable("GITHUB_TOKEN is not set, and nothing is written without a token")
    if repository.count("/") != 1 or not all(repository.split("/")):
        raise Unusable(f"GITHUB_REPOSITORY is {repository!r}; it must be owner/name")
    return GitHub(repository, token, environment.get("GITHUB_API_URL") or "https://api.github.com")


def payload(environment: Mapping[str, str]) -> dict[str, Any]:
    """The event's payload; empty where there is none."""
    try:
        found = json.loads(Path(environment.get("GITHUB_EVENT_PATH", "")).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def folder(environment: Mapping[str, str]) -> Path:
    """Where earlier jobs left their files."""
    return Path(environment.get("PREFLIGHT_FOLDER") or "preflight")


def pull_request(environment: Mapping[str, str]) -> tuple[int | None, str]:
    """Number and head of the pull request that the event is about; None where it is about none."""
    found = payload(environment).get("pull_request")
    if not isinstance(found, dict) or not isinstance(found.get("number"), int):
        return None, ""
    return found["number"], str((found.get("head") or {}).get("sha") or "")


def warn(failures: Iterable[Failure]) -> None:
    """One warning for everything that GitHub did not do, with the permissions that are missing."""
    failed = list(failures)
    if failed:
        refused = [failure for failure in failed if failure.refused]
        permissions = dict.fromkeys(failure.permission for failure in refused if failure.permission)
        missing = f"; the token needs {', '.join(permissions)}" if permissions else ""
        annotate("warning", f"could not {'; could not '.join(map(str, failed))}{missing}")


def told(written: Written) -> None:
    """Says what became of the labels: what people must do as notices, the rest in the log."""
    for line in (*written.said, *written.starting):
        annotate("notice", line)
    done = [*(f"set {name}" for name in written.added), *(f"took off {name}" for name in written.removed)]
    print(f"labels: {printable('; '.join(done) or 'none set')}")


def entry(program: str, body: Callable[[Mapping[str, str]], int]) -> int:
    """Runs an entry point with the process's environment.

    Returns:
        0, also where GitHub refuses; 2 where the environment lacks what is needed, 70 for an internal error.
    """
    return guarded(program, lambda: body(os.environ), {Unusable: 2})
