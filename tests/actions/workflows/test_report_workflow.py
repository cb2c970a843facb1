"""preflight-report.yml, run by act after a run of preflight.yml, against a small GitHub."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cmarkgfm import github_flavored_markdown_to_html
from torchrl_preflight.checks.record import Check
from torchrl_preflight.hooks.finding import Edit

from ..github import stages
from ..github.fake import Fake, zipped
from . import act
from .conftest import CPU, CUDA_TEST, plan
from .test_adopt import written
from .test_canary import HOSTILE

Report = Callable[..., act.Ran]


@pytest.fixture
def fake() -> Iterator[Fake]:
    with Fake() as server:
        yield server


@pytest.fixture
def report(checkout, interpreter: Path, toolkit: Path, tmp_path: Path, fake: Fake) -> Report:
    """``report(payload)`` runs the caller's workflow on workflow_run."""

    def run(payload: dict[str, Any], **environment: str) -> act.Ran:
        checkout.commit({".github/workflows/preflight-report.yml": written("5")})
        told = {"GITHUB_API_URL": fake.url, **environment}
        runner = act.Runner(tmp_path / "report", interpreter, toolkit)
        path = ".github/workflows/preflight-report.yml"
        return runner.run(checkout.folder, path, "workflow_run", payload, told, token="token")

    return run


def ended(fake: Fake, ran: act.Ran, head: str, run: int = 5) -> dict[str, Any]:
    """The payload after a run, with what it uploaded."""
    artifacts = {
        name: zipped({path.name: path.read_bytes() for path in folder.iterdir()})
        for name, folder in ran.artifacts.items()
    }
    return fake.finish_run(run, head, artifacts)


def test_a_run_on_a_fork_ends_in_one_comment(checkout, preflight, report: Report, fake: Fake) -> None:
    payload = checkout.merged({"test/test_planted.py": CUDA_TEST})
    head = payload["pull_request"]["head"]["sha"]
    fake.open_pull(number=12, head=head)
    judged = preflight("pull_request", payload, plan(CPU))
    assert judged.result("gate") == "failure"
    for run in (5, 6):
        ran = report(ended(fake, judged, head, run))
        assert (ran.status, ran.jobs) == (0, {"report": "success"}), ran.log
    (comment,) = fake.comments[12]
    assert "gpu-marker-missing" in comment["body"]
    assert "is not read" not in comment["body"]
    assert head in comment["body"]
    assert f"actions/runs/{run}" in comment["body"]
    # It is the toolkit that is checked out, and nothing else; no cache is read or written.
    assert {call.split(" ")[0] for call in ran.calls} == {"checkout", "setup-python", "pip"}
    assert "::set-output:: comment-url=https://github.com/pytorch/rl/pull/12#" in ran.log


def test_complaint_1_without_permission_there_is_one_warning_and_the_summary(
    checkout, preflight, report: Report, fake: Fake
) -> None:
    payload = checkout.merged({"test/test_planted.py": CUDA_TEST})
    head = payload["pull_request"]["head"]["sha"]
    fake.open_pull(number=12, head=head)
    judged = preflight("pull_request", payload, plan(CPU))
    for verb in ("POST", "PATCH", "DELETE"):
        fake.fail(verb, ".*", 403, message="Resource not accessible by integration")
    ran = report(ended(fake, judged, head))
    assert (ran.status, ran.jobs, fake.comments[12]) == (0, {"report": "success"}, []), ran.log
    (warning,) = (message for kind, _, message in ran.annotations if kind == "warning")
    assert "pull-requests: write" in warning
    assert "gpu-marker-missing" in ran.summary


def test_artifacts_of_a_stranger_run_nothing_and_forge_nothing(report: Report, fake: Fake, tmp_path: Path) -> None:
    """A smoke job runs the change's code, which may have written every file; the title and branch are the stranger's, too."""
    canary = tmp_path / "canary"
    branch = "$(touch${IFS}$CANARY)"
    fake.open_pull(number=12, branch=branch)["title"] = HOSTILE
    words = {"path": HOSTILE, "symbol": HOSTILE, "message": HOSTILE, "hint": HOSTILE, "verify": HOSTILE}
    found = stages.finding(1, **words, edit=Edit(HOSTILE, True))
    labels = [{"label": "x", "path": HOSTILE, "reason": HOSTILE, "jobs": [HOSTILE]}]
    files = {
        "lint.json": stages.lint(found, notes=(HOSTILE,)),
        "lint.md": HOSTILE.encode(),
        "labels.json": stages.labels() | {"labels": labels},
        "plan.json": stages.plan(notes=[HOSTILE], tests=[{"path": HOSTILE, "reason": HOSTILE, "minutes": 1.0}]),
        "smoke-cpu.json": stages.smoke(Check(HOSTILE, "envs", "cpu", "failed", HOSTILE, HOSTILE)),
        "run.json": {"schema": 1, "number": 1, "head_sha": "c" * 40, "results": {"lint": "success"}, "gpu": "passed"},
        "sitecustomize.py": b"import os, pathlib\npathlib.Path(os.environ['CANARY']).touch()\n",
    }
    payload = fake.finish_run(5, "a" * 40, {"preflight-lint": zipped(files)}, branch=branch)
    ran = report(payload, CANARY=str(canary))
    assert (ran.status, canary.exists()) == (0, False), ran.log
    assert [item for item in ran.annotations if "forged" in item[2][:8]] == []
    (comment,) = fake.comments[12]
    mark, _, rest = comment["body"].partition("\n")
    assert mark.startswith('<!-- torchrl-preflight {"head":"aaaa')
    shown = re.sub(r"<(code|pre)\b.*?</\1>", "", github_flavored_markdown_to_html(rest), flags=re.DOTALL)
    for attempt in ("@everyone", "<img", "<!-- torchrl", 'href="javascript:', "<h1>"):
        assert attempt not in shown, attempt
    assert "touch $CANARY" in rest  # it was read, and is shown as the text that it is
