"""The comment: what it says, who may have written it, and what becomes of it when anything else happens at the same time."""

from __future__ import annotations

import itertools
import random
import re
import threading
from typing import Any

import pytest
from torchrl_preflight.actions.github import report
from torchrl_preflight.actions.github.client import Failure, GitHub
from torchrl_preflight.actions.github.comment import Mark, keep
from torchrl_preflight.checks.record import Check

from .conftest import Job
from .fake import BOT, DROP, Call, Fake, event, zipped
from .stages import finding, labels, lint, plan, smoke

HEAD, NEXT = "a" * 40, "d" * 40
COMMENTS = r"/issues/7/comments"


def artifacts(*findings: Any, **files: Any) -> dict[str, bytes]:
    return {
        "preflight-lint": zipped({"lint.json": lint(*findings), "lint.md": b"", "lint.sarif": b"{}"}),
        "preflight-plan": zipped({"plan.json": plan(), "labels.json": labels(**files)}),
        "preflight-smoke-cpu-1": zipped({"smoke-cpu-1.json": smoke()}),
        "coverage": b"no zip",
    }


def bodies(fake: Fake, login: str = BOT) -> list[str]:
    return [comment["body"] for comment in fake.comments[7] if comment["user"]["login"] == login]


def heads(fake: Fake) -> list[str]:
    return [re.findall(r"torchrl-preflight: `(\w+)`", body)[0] for body in bodies(fake)]


def test_a_run_on_a_fork_gets_one_comment(fake: Fake, job: Job) -> None:
    payload = fake.finish_run(5, HEAD, artifacts(finding(1)))
    done = job(report.main, "workflow_run", payload)
    assert (done.status, done.err, done.warnings) == (0, "", [])
    assert bodies(fake) == [
        f'<!-- torchrl-preflight {{"head":"{HEAD}","run":[5,1],"labels":[]}} -->\n'
        "### torchrl-preflight: `aaaaaaaaaaaa`\n\n"
        "| stage | result |\n|---|---|\n"
        "| lint | 1 new error in 3 files judged |\n"
        "| labels | none needed |\n"
        "| plan | 1 area, 1 test file, GPU needed |\n"
        "| smoke cpu-1 | 1 passed |\n\n"
        "### Errors (1)\n\n"
        "`test/test_1.py:2` **gpu-marker-missing** `test_1`\n\nmessage 1\n\nWhat to do: hint 1\n\n"
        f"Judged commit `{HEAD}` in [this run](https://github.com/pytorch/rl/actions/runs/5). "
        "On your machine: `torchrl-preflight`\n"
    ]
    assert done.outputs == {"comment-url": fake.comments[7][0]["html_url"], "labels-added": "[]"}
    assert "message 1" in done.summary


def test_the_comment_is_kept_up_to_date(fake: Fake, job: Job) -> None:
    job(report.main, "workflow_run", fake.finish_run(5, HEAD, artifacts(finding(1))))
    fake.pulls[7]["head"]["sha"] = NEXT
    job(report.main, "workflow_run", fake.finish_run(6, NEXT, artifacts()))
    assert heads(fake) == [NEXT[:12]]
    assert fake.writes == [("POST", "/issues/7/comments"), ("PATCH", f"/issues/comments/{fake.comments[7][0]['id']}")]


def test_a_pull_request_of_the_repository_itself(fake: Fake, job: Job) -> None:
    payload = event("pull_request")
    payload["pull_request"] |= {"number": 7}
    payload["pull_request"]["head"]["sha"] = HEAD
    files = {
        "lint.json": lint(finding(1)),
        "smoke-cpu.json": smoke(Check("a/b", "a", "cpu", "failed", "it broke", "mend it")),
    }
    done = job(report.main, "pull_request", payload, files)
    assert done.warnings == []
    assert "| plan | no result |" in bodies(fake)[0]
    assert "Smoke checks, cpu:\n\n- failed `a/b`: it broke What to do: mend it\n" in bodies(fake)[0]


@pytest.mark.parametrize("name", ["push", "merge_group", "workflow_dispatch", "schedule"])
def test_events_without_a_pull_request_write_nothing(fake: Fake, job: Job, name: str) -> None:
    payload = {} if name == "schedule" else event(name)
    done = job(report.main, name, payload, {"lint.json": lint(finding(1))})
    assert (done.status, done.warnings, fake.calls) == (0, [], [])
    assert done.out == f"no comment: {name} has no pull request\n"


@pytest.mark.parametrize("payload", [{}, {"pull_request": None}, {"pull_request": {"number": "7"}}, [], "x"])
def test_a_payload_that_is_none(fake: Fake, job: Job, payload: Any) -> None:
    assert job(report.main, "pull_request", payload).status == 0
    assert fake.calls == []


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"event": "push"}, "the run was for push, which has no pull request"),
        ({"head_branch": None}, "the repository or the branch that the run judged is gone"),
        ({"head_repository": None}, "the repository or the branch that the run judged is gone"),
        ({"head_branch": "other"}, "no pull request from fork:other is open"),
        ({"head_sha": NEXT}, "superseded: dddddddddddd is no longer the head of fork:topic"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_runs_that_belong_to_no_pull_request(fake: Fake, job: Job, change: dict[str, Any], why: str) -> None:
    payload = fake.finish_run(5, HEAD, artifacts(finding(1)))
    payload["workflow_run"] |= change
    done = job(report.main, "workflow_run", payload)
    assert (done.status, done.out.splitlines()[0], fake.writes) == (0, f"no comment: {why}", [])


def test_two_pull_requests_with_the_same_head_are_told_apart_only_by_github(fake: Fake, job: Job) -> None:
    fake.open_pull(8)
    payload = fake.finish_run(
        5, HEAD, artifacts(finding(1)) | {"preflight-gate": zipped({"run.json": {"schema": 1, "number": 8}})}
    )
    assert "is the head of 2 pull requests" in job(report.main, "workflow_run", payload).out
    payload["workflow_run"]["pull_requests"] = [{"number": 8}]
    job(report.main, "workflow_run", payload)
    assert (len(fake.comments[7]), len(fake.comments[8])) == (0, 1)


def test_the_pull_request_is_not_taken_from_the_artifact(fake: Fake, job: Job) -> None:
    fake.open_pull(8, NEXT, "other", "victim")
    hint = {"schema": 1, "number": 8, "head_sha": NEXT, "results": {}, "gpu": ""}
    payload = fake.finish_run(5, HEAD, artifacts() | {"preflight-gate": zipped({"run.json": hint})})
    job(report.main, "workflow_run", payload)
    assert (len(fake.comments[7]), len(fake.comments[8])) == (1, 0)


def test_a_branch_of_the_same_name_in_another_repository_is_another(fake: Fake, job: Job) -> None:
    payload = fake.finish_run(5, HEAD, artifacts())
    fake.pulls[7]["head"]["repo"]["full_name"] = "fork/other"
    assert "no comment: no pull request" in job(report.main, "workflow_run", payload).out


def test_complaint_11_a_marker_of_another_author_is_ignored(fake: Fake, job: Job) -> None:
    mark = Mark(HEAD, (9_000_000, 1), ("Environments",)).line()
    spoofs = [fake.comment(7, mark + "all is well", "mallory"), fake.comment(7, mark + "x", "github-actions")]
    quoted = fake.comment(7, "> " + mark + "quoted by a bot", BOT)
    done = job(report.main, "workflow_run", fake.finish_run(5, HEAD, artifacts(finding(1))))
    assert done.warnings == []
    assert [comment["body"] for comment in spoofs] == [mark + "all is well", mark + "x"]
    assert len(fake.comments[7]) == 4
    assert (quoted["body"], "message 1" in bodies(fake)[1]) == ("> " + mark + "quoted by a bot", True)


@pytest.mark.parametrize(
    "line", ["", "<!-- torchrl-preflight {} -->\n", '<!-- torchrl-preflight {"head": -->\n', "\ufeff"]
)
def test_a_comment_of_ours_without_a_mark_is_left_alone(fake: Fake, job: Job, line: str) -> None:
    fake.comment(7, line + "benchmarks: fine")
    job(report.main, "workflow_run", fake.finish_run(5, HEAD, artifacts()))
    assert bodies(fake)[0] == line + "benchmarks: fine"
    assert len(bodies(fake)) == 2


def test_a_token_of_a_person_keeps_the_person_s_comment(fake: Fake, job: Job) -> None:
    fake.logins["token"] = "maintainer"
    for run in (5, 6):
        job(report.main, "workflow_run", fake.finish_run(run, HEAD, artifacts()))
    assert len(bodies(fake, "maintainer")) == 1


def test_an_app_s_token_does_not_know_its_name_and_still_leaves_one_comment(fake: Fake, job: Job) -> None:
    fake.logins["token"] = "torchrl-helper[bot]"
    for run in (5, 6, 7):
        job(report.main, "workflow_run", fake.finish_run(run, HEAD, artifacts()))
    assert len(bodies(fake, "torchrl-helper[bot]")) == 1
    assert '"run":[7,1]' in bodies(fake, "torchrl-helper[bot]")[0]


def test_a_second_comment_from_before_is_deleted(fake: Fake, job: Job) -> None:
    for run in (1, 2):
        fake.comment(7, Mark(HEAD, (run, 1), ()).line() + "old")
    job(report.main, "workflow_run", fake.finish_run(5, HEAD, artifacts()))
    assert [("old" in body) for body in bodies(fake)] == [False]


def test_an_older_run_of_the_same_commit_does_not_overwrite(fake: Fake, job: Job) -> None:
    job(report.main, "workflow_run", fake.finish_run(6, HEAD, artifacts(finding(1))))
    done = job(report.main, "workflow_run", fake.finish_run(5, HEAD, artifacts()))
    assert "a newer run for the same commit has reported" in done.out
    assert "message 1" in bodies(fake)[0]


def test_a_second_attempt_of_a_run_overwrites_the_first(fake: Fake, job: Job) -> None:
    payload = fake.finish_run(5, HEAD, artifacts(finding(1)))
    job(report.main, "workflow_run", payload)
    fake.finish_run(5, HEAD, artifacts(finding(2)))
    payload["workflow_run"]["run_attempt"] = 2
    job(report.main, "workflow_run", payload)
    assert len(bodies(fake)) == 1
    assert "message 2" in bodies(fake)[0]


def test_a_comment_that_somebody_deletes_meanwhile_is_written_anew(fake: Fake, job: Job) -> None:
    job(report.main, "workflow_run", fake.finish_run(5, HEAD, artifacts()))

    def delete(call: Call) -> None:
        if call.verb == "PATCH":
            fake.comments[7].clear()

    fake.before = delete
    done = job(report.main, "workflow_run", fake.finish_run(6, HEAD, artifacts()))
    assert (done.warnings, len(bodies(fake))) == ([], 1)


# Two at the same time


class Turns:
    """Lets two clients send their requests in a given order; when one has nothing left to send, the other goes on."""

    def __init__(self, order: list[int]) -> None:
        self.order, self.done = list(order), [False, False]
        self.turn = threading.Condition()

    def wait(self, who: int) -> None:
        with self.turn:
            while self._next() not in (who, None):
                self.turn.wait(10)
            if self.order:
                self.order.pop(0)
            self.turn.notify_all()

    def _next(self) -> int | None:
        while self.order and self.done[self.order[0]]:
            self.order.pop(0)
        return self.order[0] if self.order else None

    def finish(self, who: int) -> None:
        with self.turn:
            self.done[who] = True
            self.turn.notify_all()


@pytest.fixture(scope="module")
def pair(_server: Fake) -> list[GitHub]:
    """Two clients with tokens of their own for the same author."""
    return [GitHub(_server.repository, f"token-{number}", _server.url) for number in range(2)]


def together(fake: Fake, pair: list[GitHub], order: list[int], marks: list[Mark], after: Any) -> list[Exception]:
    """Two runs keep the comment with their requests in an order; ``after`` is what a run does when it has written."""
    turns, caught = Turns(order), []
    for number in range(2):
        fake.logins[f"token-{number}"] = BOT

    def one(number: int) -> None:
        github = pair[number]
        request = github.api.transport.request

        def in_turn(*arguments: Any, **more: Any) -> Any:
            turns.wait(number)
            return request(*arguments, **more)

        github.api.transport.request = in_turn
        try:
            keep(github, 7, marks[number], f"### torchrl-preflight: `{marks[number].head[:12]}`\n")
            after(github, number)
        except Exception as error:
            caught.append(error)
        finally:
            github.api.transport.request = request
            turns.finish(number)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return caught


ORDERS = [
    *([0] * first + [1] * 12 + [0] * 12 for first in range(6)),
    *([1] * first + [0] * 12 + [1] * 12 for first in range(6)),
    *(random.Random(seed).sample([0, 1] * 6, 12) for seed in range(6)),
]


@pytest.mark.parametrize("there", [False, True], ids=["no comment yet", "a comment there"])
def test_complaint_10_two_runs_for_the_same_commit_leave_one_comment(
    fake: Fake, pair: list[GitHub], there: bool
) -> None:
    for order in ORDERS:
        fake.comments[7].clear()
        if there:
            fake.comment(7, Mark(HEAD, (1, 1), ()).line() + "### torchrl-preflight: `old`\n")
        marks = [Mark(HEAD, (5, 1)), Mark(HEAD, (6, 1))]
        assert together(fake, pair, order, marks, lambda github, number: None) == []
        assert heads(fake) == [HEAD[:12]], order


def test_complaint_10_the_newer_head_wins_whenever_it_comes(fake: Fake, job: Job, pair: list[GitHub]) -> None:
    """The push and all of the newer run's report happen before each request of the older run's report in turn."""
    older = fake.finish_run(5, HEAD, artifacts(finding(1)))
    newer: dict[str, Any] = {}
    fake.logins["token-0"] = BOT
    for position in itertools.count():
        fake.calls.clear()
        fake.comments[7].clear()
        fake.pulls[7]["head"]["sha"] = HEAD
        fake.runs[:] = [run for run in fake.runs if run["id"] == 5]
        happened: list[int] = []

        def overtake(call: Call, position: int = position, happened: list[int] = happened) -> None:
            if len(fake.calls) == position and not happened:
                happened.append(position)
                fake.pulls[7]["head"]["sha"] = NEXT
                newer.update(fake.finish_run(6, NEXT, artifacts(finding(2))))
                fake.before = lambda call: None
                report._of_runs(pair[0], report.run_of(newer["workflow_run"]), report.Asked(True, False), "https://x")

        fake.before = overtake
        job(report.main, "workflow_run", older)
        if not happened:
            break
        assert heads(fake) == [NEXT[:12]], position
        assert "message 2" in bodies(fake)[0]
    assert position > 8


# What GitHub refuses


@pytest.mark.parametrize("verb", ["POST", "PATCH"])
def test_complaint_1_no_permission_to_comment(fake: Fake, job: Job, verb: str) -> None:
    if verb == "PATCH":
        fake.comment(7, Mark(HEAD, (1, 1), ()).line() + "old")
    fake.fail(verb, r"/issues/.*", 403, message="Resource not accessible by integration")
    payload = fake.finish_run(5, HEAD, artifacts(*(finding(number) for number in range(12)), finding(20, "warning")))
    done = job(report.main, "workflow_run", payload, PREFLIGHT_LABELS="true")
    assert (done.status, done.err) == (0, "")
    assert len(done.warnings) == 1
    assert "answered 403 (Resource not accessible by integration)" in done.warnings[0]
    assert done.warnings[0].endswith("the token needs issues: write and pull-requests: write")
    assert done.outputs == {"comment-url": "", "labels-added": "[]"}
    assert all(f"message {number}" in done.summary for number in (*range(12), 20))
    assert len(re.findall("^::error ", done.out, re.MULTILINE)) == 10
    assert "::notice title=torchrl-lint::2 more findings are listed in the log of this step" in done.out


def test_complaint_1_nothing_at_all_is_allowed(fake: Fake, job: Job) -> None:
    for verb in ("GET", "POST", "PATCH", "DELETE"):
        fake.fail(verb, r".*", 403, message="Resource not accessible by integration")
    done = job(report.main, "workflow_run", fake.finish_run(5, HEAD, artifacts(finding(1))))
    assert (done.status, len(done.warnings)) == (0, 1)
    assert done.warnings[0].endswith("the token needs pull-requests: read")


def test_artifacts_that_may_not_be_read(fake: Fake, job: Job) -> None:
    fake.fail("GET", r"/actions/runs/5/artifacts", 403)
    done = job(report.main, "workflow_run", fake.finish_run(5, HEAD, artifacts(finding(1))))
    assert [warning.rpartition("; ")[2] for warning in done.warnings] == ["the token needs actions: read"]


INJECTED = [
    ("GET", r"/pulls", 502, "POST"),
    ("GET", r"/pulls/7", 429, "POST"),
    ("GET", r"/issues/7/comments", 503, "POST"),
    ("GET", r"/actions/.*", 500, "POST"),
    ("POST", COMMENTS, 429, "POST"),
    ("POST", COMMENTS, 502, "POST"),
    ("POST", COMMENTS, DROP, "POST"),
    ("PATCH", r"/issues/comments/\d+", 502, "PATCH"),
    ("PATCH", r"/issues/comments/\d+", DROP, "PATCH"),
    ("GET", r"/issues/7/comments", DROP, "PATCH"),
]


@pytest.mark.parametrize("lost", [False, True], ids=["not done", "done, answer lost"])
@pytest.mark.parametrize(
    ("verb", "path", "status", "way"), INJECTED, ids=[f"{v} {p} {s} {w}" for v, p, s, w in INJECTED]
)
def test_what_passes_leaves_one_comment(
    fake: Fake, job: Job, verb: str, path: str, status: int, way: str, lost: bool
) -> None:
    if way == "PATCH":
        fake.comment(7, Mark(HEAD, (1, 1), ()).line() + "old")
    fake.fail(verb, path, status, {"Retry-After": "1"} if status == 429 else {}, times=1, after=lost and status != 429)
    done = job(report.main, "workflow_run", fake.finish_run(5, HEAD, artifacts(finding(1))))
    assert (done.status, done.warnings) == (0, [])
    assert len(bodies(fake)) == 1
    assert "message 1" in bodies(fake)[0]


@pytest.mark.parametrize("status", [404, 422, 502, DROP])
def test_what_lasts_is_one_warning_and_the_summary(fake: Fake, job: Job, status: int) -> None:
    fake.fail("POST", COMMENTS, status)
    done = job(report.main, "workflow_run", fake.finish_run(5, HEAD, artifacts(finding(1))))
    assert (done.status, len(done.warnings), bodies(fake)) == (0, 1, [])
    assert "message 1" in done.summary


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"GITHUB_TOKEN": ""}, "GITHUB_TOKEN is not set, and nothing is written without a token"),
        ({"GITHUB_REPOSITORY": "rl"}, "GITHUB_REPOSITORY is 'rl'; it must be owner/name"),
    ],
)
def test_wrong_usage_is_one_line(fake: Fake, job: Job, more: dict[str, str], said: str) -> None:
    done = job(report.main, "push", {}, **more)
    assert (done.status, done.out, done.err) == (2, "", f"torchrl-preflight report: {said}\n")


def test_a_comment_and_no_labels_keeps_the_labels_of_before(fake: Fake, job: Job) -> None:
    fake.comment(7, Mark(HEAD, (1, 1), ("Environments",)).line() + "old")
    job(report.main, "workflow_run", fake.finish_run(5, HEAD, artifacts()))
    assert '"labels":["Environments"]' in bodies(fake)[0]


def test_a_comment_is_not_wanted(fake: Fake, job: Job) -> None:
    done = job(report.main, "workflow_run", fake.finish_run(5, HEAD, artifacts(finding(1))), PREFLIGHT_COMMENT="false")
    assert (fake.writes, done.outputs["comment-url"], "message 1" in done.summary) == ([], "", True)


def test_the_token_stays_with_github(fake: Fake, job: Job) -> None:
    job(report.main, "workflow_run", fake.finish_run(5, HEAD, artifacts()))
    assert len(fake.storage_headers) == 3
    assert not any("authorization" in headers for headers in fake.storage_headers)


def test_failures_name_what_was_tried(fake: Fake, github: GitHub) -> None:
    fake.fail("POST", COMMENTS, 403)
    with pytest.raises(Failure, match="^write the comment: GitHub answered 403"):
        keep(github, 7, Mark(HEAD, (1, 1), ()), "x")
