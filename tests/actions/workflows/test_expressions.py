"""What act ignores or does in its own way: concurrency, permissions, conditions. Evaluated by GitHub's own evaluator, or read."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from . import act, events

SHA = "a" * 40
INPUTS = {"cpu-runner": "ubuntu-latest", "gpu-runner": "", "torch": "stable", "python-version": "3.12"}


def workflow(name: str) -> dict[str, Any]:
    return yaml.safe_load((act.ROOT / ".github" / "workflows" / f"{name}.yml").read_text())


def github(name: str, payload: dict[str, Any], run: int, **more: Any) -> dict[str, Any]:
    context = {
        "workflow": "preflight",
        "event_name": name,
        "event": payload,
        "run_id": str(run),
        "ref": "refs/heads/main",
    }
    return {"github": {**context, **more}, "inputs": INPUTS}


PULL = [
    github("pull_request", events.pull_request(SHA, SHA, number=number), run) for run, number in enumerate((12, 12, 13))
]
PUSHES = [github("push", events.push(SHA, SHA), run) for run in (3, 4)]


def test_only_an_older_run_of_the_same_pull_request_is_cancelled(parsed) -> None:
    for name in ("preflight", "ci"):
        concurrency = workflow(name)["concurrency"]
        first, second, other, *pushes = parsed.evaluate(*((concurrency["group"], it) for it in (*PULL, *PUSHES)))
        assert first == second
        # A waiting push is dropped for the next one of its group.
        assert len({first, other, *pushes}) == 4
        cancels = parsed.evaluate(*((concurrency["cancel-in-progress"], it) for it in (PULL[0], PUSHES[0])))
        assert cancels == [True, False]


def test_a_caller_and_what_it_calls_do_not_wait_for_each_other(parsed) -> None:
    groups = parsed.evaluate(*((workflow(name)["concurrency"]["group"], PULL[0]) for name in ("preflight", "ci")))
    assert len(set(groups)) == 2
    # Called twice in one run, for two torches, neither cancels the other.
    oldest = PULL[0] | {"inputs": {**INPUTS, "torch": "oldest"}}
    group = workflow("preflight")["concurrency"]["group"]
    assert len(set(parsed.evaluate((group, PULL[0]), (group, oldest)))) == 2


def test_reports_of_one_branch_wait_for_each_other(parsed) -> None:
    def run(owner: str, branch: str) -> dict[str, Any]:
        return {"github": {"event": {"workflow_run": {"head_branch": branch, "head_repository": {"full_name": owner}}}}}

    concurrency = workflow("preflight-report")["concurrency"]
    asked = [("a/rl", "topic"), ("a/rl", "topic"), ("b/rl", "topic"), ("a/rl", "other")]
    first, second, *others = parsed.evaluate(*((concurrency["group"], run(*it)) for it in asked))
    assert first == second
    assert len({first, *others}) == 3
    assert concurrency["cancel-in-progress"] is False


@pytest.mark.parametrize(
    ("given", "labels"),
    [("ubuntu-latest", "ubuntu-latest"), ('["self-hosted", "linux"]', ["self-hosted", "linux"])],
)
def test_a_runner_is_a_label_or_a_list(parsed, given: str, labels: Any) -> None:
    jobs = workflow("preflight")["jobs"]
    inputs = {"inputs": {**INPUTS, "cpu-runner": given, "gpu-runner": given}}
    assert parsed.evaluate(*((job["runs-on"], inputs) for job in jobs.values())) == [labels] * len(jobs)


def test_how_far_back_the_clone_goes(parsed) -> None:
    """Never the number 0 in the place of the word: as a condition it counts as false."""
    jobs = workflow("preflight")["jobs"]
    for job in (jobs["lint"], jobs["plan"]):
        (depth,) = (step["with"]["fetch-depth"] for step in job["steps"] if "fetch-depth" in step.get("with", {}))
        assert parsed.evaluate((depth, PULL[0]), (depth, PUSHES[0])) == ["2", "0"]


@pytest.mark.parametrize(
    ("lint", "smoke_cpu", "runner", "matrix", "status", "runs"),
    [
        ("success", "success", "gpu", "{}", "success", True),
        ("success", "skipped", "gpu", "{}", "success", True),
        ("failure", "success", "gpu", "{}", "failure", False),
        ("success", "failure", "gpu", "{}", "failure", False),
        ("success", "success", "", "{}", "success", False),
        ("success", "success", "gpu", "", "success", False),
        ("success", "success", "gpu", "{}", "cancelled", False),
    ],
)
def test_when_gpu_checks_run(parsed, lint, smoke_cpu, runner, matrix, status, runs) -> None:
    needs = {"lint": {"result": lint}, "smoke-cpu": {"result": smoke_cpu}, "plan": {"outputs": {"gpu-matrix": matrix}}}
    contexts = {"inputs": {"gpu-runner": runner}, "needs": needs, "status": status}
    assert parsed.evaluate((workflow("preflight")["jobs"]["smoke-gpu"]["if"], contexts)) == [runs]


@pytest.mark.parametrize(
    ("event", "ref", "cache", "saves", "restores"),
    [
        ("push", "main", "true", True, False),
        ("push", "topic", "true", False, True),
        ("pull_request", "12/merge", "true", False, True),
        ("pull_request", "main", "true", False, True),
        ("push", "main", "false", False, False),
    ],
)
def test_where_facts_are_saved(parsed, event, ref, cache, saves, restores) -> None:
    steps = yaml.safe_load((act.ROOT / "actions" / "setup" / "action.yml").read_text())["runs"]["steps"]
    contexts = {
        "inputs": {"cache": cache},
        "github": {"event_name": event, "ref_name": ref, "event": {"repository": events.repository()}},
    }
    conditions = [step["if"] for step in steps if step.get("uses", "").startswith("actions/cache")]
    assert parsed.evaluate(*((condition, contexts) for condition in conditions)) == [saves, restores]


@pytest.mark.parametrize(
    ("name", "origin", "conclusion", "runs"),
    [
        ("workflow_run", "pull_request", "failure", True),
        ("workflow_run", "pull_request", "success", True),
        ("workflow_run", "pull_request", "cancelled", False),
        ("workflow_run", "push", "success", False),
        ("pull_request_target", "pull_request", "success", False),
    ],
)
def test_when_a_comment_is_written(parsed, name, origin, conclusion, runs) -> None:
    event = {"workflow_run": {"event": origin, "conclusion": conclusion}}
    condition = workflow("preflight-report")["jobs"]["report"]["if"]
    assert parsed.evaluate((condition, {"github": {"event_name": name, "event": event}})) == [runs]


def test_nothing_may_write_but_the_report() -> None:
    """Permissions, which act does not know: the report's job alone holds a token that can, and it checks out no change."""
    writing = {}
    for path in (act.ROOT / ".github" / "workflows").glob("*.yml"):
        document = yaml.safe_load(path.read_text())
        assert document["permissions"] == {}, path
        for name, job in document["jobs"].items():
            granted = {scope for scope, level in job["permissions"].items() if level == "write"}
            if granted:
                writing[path.name, name] = granted
    assert writing == {("preflight-report.yml", "report"): {"issues", "pull-requests"}}
    job = workflow("preflight-report")["jobs"]["report"]
    checkouts = [step["with"]["repository"] for step in job["steps"] if "actions/checkout" in step.get("uses", "")]
    assert checkouts == ["${{ job.workflow_repository }}"]
    assert all(
        "cache" not in step.get("uses", "") and step.get("with", {}).get("cache") in (None, "false")
        for step in job["steps"]
    )


def test_no_secret_is_read_and_no_credential_kept() -> None:
    for path in (*act.ROOT.glob(".github/workflows/*.yml"), *act.ROOT.glob("actions/*/action.yml")):
        text = path.read_text()
        assert "secrets." not in text, path
        document = yaml.safe_load(text)
        jobs = [document["runs"]] if "runs" in document else document["jobs"].values()
        for step in (step for job in jobs for step in job.get("steps", ())):
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False, path
