"""Labels: which are set, which are never touched, and what people are told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from torchrl_preflight.actions.github import labels as entry
from torchrl_preflight.actions.github import report
from torchrl_preflight.actions.github.client import GitHub
from torchrl_preflight.actions.github.comment import Mark
from torchrl_preflight.actions.github.label_writing import write

from .conftest import Done, Job
from .fake import BOT, DROP, Call, Fake, event, zipped
from .stages import labels, lint

HEAD = "a" * 40
CONFIG = b'"Environments":\n  - any: []\n"Data":\n  - any: []\n"Environments/brax":\n  - any: []\n"ci/olddeps":\n  - any: []\n'


@pytest.fixture
def fake(fake: Fake) -> Fake:
    """A GitHub whose base branch has a labeler."""
    fake.files["master", ".github/labeler.yml"] = CONFIG
    return fake


@pytest.fixture
def pull() -> dict[str, Any]:
    """The event of pull request 7."""
    payload = event("pull_request")
    payload["pull_request"]["number"] = 7
    payload["pull_request"]["head"]["sha"] = HEAD
    return payload


@pytest.fixture
def run(fake: Fake, job: Job):
    """``run(run_id, **labels)``: the report of a run that needs labels."""

    def go(number: int, **names: Any) -> Done:
        files = {
            "preflight-plan": zipped({"labels.json": labels(**names)}),
            "preflight-lint": zipped({"lint.json": lint()}),
        }
        return job(report.main, "workflow_run", fake.finish_run(number, HEAD, files), PREFLIGHT_LABELS="true")

    return go


def test_labels_are_set_one_by_one(fake: Fake, job: Job, pull: dict[str, Any]) -> None:
    done = job(
        entry.main, "pull_request", pull, {"labels.json": labels(Environments=[], Environments_brax=[], Data=[])}
    )
    assert (done.status, done.err, done.warnings) == (0, "", [])
    assert fake.labels[7] == done.added == ["Environments", "Environments/brax", "Data"]
    assert fake.writes == [("POST", "/issues/7/labels")] * 3


def test_complaint_2_a_label_set_by_hand_meanwhile_stays(fake: Fake, job: Job, pull: dict[str, Any]) -> None:
    def by_hand(call: Call) -> None:
        if call.verb == "POST" and "reviewed" not in fake.labels[7]:
            fake.set_label(7, "reviewed", "maintainer")

    fake.before = by_hand
    fake.set_label(7, "bug", "maintainer")
    done = job(entry.main, "pull_request", pull, {"labels.json": labels(Data=[])})
    assert fake.labels[7] == ["bug", "reviewed", "Data"]
    assert done.added == ["Data"]
    assert {verb for verb, _ in fake.writes} == {"POST"}


def test_complaint_2_only_what_we_set_is_taken_off(fake: Fake, run) -> None:
    for name in ("Data", "ci/optdeps", "bug"):
        fake.set_label(7, name, "maintainer")
    run(5, Environments=[], Environments_brax=[])
    assert fake.labels[7] == ["Data", "ci/optdeps", "bug", "Environments", "Environments/brax"]
    run(6, Environments=[])
    assert fake.labels[7] == ["Data", "ci/optdeps", "bug", "Environments"]
    run(7)
    assert fake.labels[7] == ["Data", "ci/optdeps", "bug"]
    assert [path for verb, path in fake.writes if verb == "DELETE"] == [
        "/issues/7/labels/Environments%2Fbrax",
        "/issues/7/labels/Environments",
    ]
    assert not any(verb == "PUT" for verb, _ in fake.writes)


def test_complaint_2_what_somebody_took_off_stays_off(fake: Fake, run) -> None:
    run(5, Environments=[])
    fake.remove_label(7, "Environments", "maintainer")
    done = run(6, Environments=[])
    assert (fake.labels[7], done.added) == ([], [])
    assert "Environments was taken off by somebody, so it is not set again" in fake.comments[7][0]["body"]


def test_complaint_2_what_somebody_set_again_stays(fake: Fake, run) -> None:
    run(5, Environments=[])
    fake.remove_label(7, "Environments", "maintainer")
    fake.set_label(7, "Environments", "maintainer")
    run(6)
    assert fake.labels[7] == ["Environments"]


def test_complaint_2_suites_labels_are_never_taken_off(fake: Fake, github: GitHub) -> None:
    fake.set_label(7, "ci/olddeps", BOT)
    written = write(github, 7, [], before=["ci/olddeps"])
    assert (fake.labels[7], written.removed, fake.writes) == (["ci/olddeps"], (), [])


def test_complaint_9_a_label_that_only_starts_jobs_is_left_to_people(
    fake: Fake, job: Job, pull: dict[str, Any]
) -> None:
    done = job(
        entry.main, "pull_request", pull, {"labels.json": labels(ci_olddeps=["tests-olddeps"], Environments=["brax"])}
    )
    assert done.added == ["Environments"]
    assert done.out.splitlines() == [
        "::notice title=torchrl-preflight::set by hand what only starts jobs (ci/olddeps), then push again or re-run",
        "::notice title=torchrl-preflight::a label that a workflow sets starts no job (Environments): push again or re-run",
        "labels: set Environments",
    ]


def test_complaint_9_the_comment_asks_for_a_push(fake: Fake, run) -> None:
    done = run(5, ci_olddeps=["tests-olddeps"])
    assert done.added == []
    assert (
        "Labels that start jobs (one that a workflow sets starts none: set what is missing, then push again or re-run):\n\n"
        "- `ci/olddeps` starts `tests-olddeps`: ci\\_olddeps for torchrl/x.py\n"
    ).replace("ci\\_", "ci_") in fake.comments[7][0]["body"]


def test_a_label_that_is_there_in_other_capitals_is_there(fake: Fake, job: Job, pull: dict[str, Any]) -> None:
    fake.set_label(7, "environments", "maintainer")
    done = job(entry.main, "pull_request", pull, {"labels.json": labels(Environments=[])})
    assert (done.added, fake.writes) == ([], [])


def test_what_the_base_s_labeler_does_not_know_is_never_made(fake: Fake, job: Job, pull: dict[str, Any]) -> None:
    names = labels(**{"approved": [], "Data": [], "@octocat": [], "a\x1bb": []})
    names["labels"].pop()
    done = job(entry.main, "pull_request", pull, {"labels.json": names})
    assert fake.labels[7] == ["Data"]
    assert "not set, since .github/labeler.yml on master does not know them: approved, @octocat" in done.out


def test_a_repository_without_a_labeler(fake: Fake, job: Job, pull: dict[str, Any]) -> None:
    fake.files.clear()
    done = job(entry.main, "pull_request", pull, {"labels.json": labels(Data=[])})
    assert (done.status, done.added, done.warnings, fake.labels[7]) == (0, [], [], [])


@pytest.mark.parametrize("name", ["push", "merge_group", "workflow_dispatch"])
def test_events_without_a_pull_request_set_nothing(fake: Fake, job: Job, name: str) -> None:
    done = job(entry.main, name, event(name), {"labels.json": labels(Data=[])})
    assert (done.status, done.out, done.added, fake.calls) == (
        0,
        f"no label is set: {name} has no pull request\n",
        [],
        [],
    )


@pytest.mark.parametrize("content", [b"", b"{", b"[]", {"schema": 2, "labels": [], "notes": []}])
def test_a_file_that_is_none(fake: Fake, job: Job, pull: dict[str, Any], content: Any) -> None:
    done = job(entry.main, "pull_request", pull, {"labels.json": content})
    assert (done.status, done.added, fake.writes) == (0, [], [])
    assert done.warnings[0].startswith("labels.json is not read: ")


@pytest.mark.parametrize("verb", ["GET", "POST"])
def test_complaint_1_no_permission_to_label(fake: Fake, job: Job, pull: dict[str, Any], verb: str) -> None:
    fake.fail(verb, r"/issues/7/labels", 403, message="Resource not accessible by integration")
    done = job(entry.main, "pull_request", pull, {"labels.json": labels(Data=[])})
    assert (done.status, done.added, len(done.warnings)) == (0, [], 1)
    assert done.warnings[0].endswith("the token needs issues: write and pull-requests: write")


@pytest.mark.parametrize("status", [429, 502, DROP])
def test_a_label_is_set_in_spite_of_what_passes(fake: Fake, job: Job, pull: dict[str, Any], status: int) -> None:
    fake.fail(
        "POST",
        r"/issues/7/labels",
        status,
        {"Retry-After": "1"} if status == 429 else {},
        times=2,
        after=status == DROP,
    )
    done = job(entry.main, "pull_request", pull, {"labels.json": labels(Data=[])})
    assert (done.warnings, done.added, fake.labels[7]) == ([], ["Data"], ["Data"])


def test_labels_set_before_a_failure_are_told(fake: Fake, job: Job, pull: dict[str, Any]) -> None:
    fake.fail("POST", r"/issues/7/labels", 200, times=0)
    names = labels(Data=[], Environments=[])

    def refuse_the_second(call: Call) -> None:
        if call.verb == "POST" and fake.labels[7] == ["Data"]:
            fake.fail("POST", r"/issues/7/labels", 422)

    fake.before = refuse_the_second
    done = job(entry.main, "pull_request", pull, {"labels.json": names})
    assert (done.added, len(done.warnings)) == (["Data"], 1)


def test_a_superseded_run_sets_no_label(fake: Fake, run) -> None:
    def push(call: Call) -> None:
        if call.path.endswith("/artifacts"):
            fake.pulls[7]["head"]["sha"] = "d" * 40

    fake.before = push
    assert (run(5, Data=[]).added, fake.labels[7], fake.comments[7]) == ([], [], [])


def test_the_record_of_labels_cannot_end_the_hidden_line() -> None:
    line = Mark(HEAD, (1, 1), ("--> <b>", "a\nb", 'c"d')).line()
    assert line.count("\n") == 1
    assert line.count("<") == line.count(">") == 1
    assert json.loads(line[len("<!-- torchrl-preflight ") : -len(" -->\n")])["labels"] == ["--> <b>", "a\nb", 'c"d']
