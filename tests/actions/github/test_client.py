"""What goes wrong with GitHub, and how often and how long it is tried again."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from torchrl_preflight.actions.github.client import Failure, GitHub

from .fake import DROP, Fake, slow_server

COMMENTS = r"/issues/7/comments"


def title(github: GitHub) -> str:
    return github.call("read the pull request", "pulls.get", pull_number=7).title


@pytest.mark.parametrize("status", [429, 500, 502, 503, DROP])
def test_what_passes_is_tried_again(fake: Fake, github: GitHub, waited: list[float], status: int) -> None:
    headers = {"Retry-After": "3"} if status == 429 else {}
    fake.fail("GET", "/pulls/7", status, headers, times=2)
    assert title(github) == "[Feature] A title"
    assert waited == ([3.0, 3.0] if status == 429 else [1.0, 2.0])


@pytest.mark.parametrize("status", [500, 502, DROP])
def test_what_lasts_ends_in_one_line(fake: Fake, github: GitHub, waited: list[float], status: int) -> None:
    fake.fail("GET", "/pulls/7", status, message="no luck")
    with pytest.raises(Failure) as caught:
        title(github)
    answered = f"answered {status} (no luck" if status else "gave no answer ("
    assert str(caught.value).startswith(f"read the pull request: GitHub {answered}")
    assert "\n" not in str(caught.value)
    assert waited == [1.0, 2.0, 4.0, 8.0]


@pytest.mark.parametrize("status", [401, 403, 404, 422])
def test_a_refusal_is_final(fake: Fake, github: GitHub, waited: list[float], status: int) -> None:
    fake.fail("GET", "/pulls/7", status, message="Resource not accessible by integration")
    with pytest.raises(Failure, match=f"answered {status} .Resource not accessible") as caught:
        title(github)
    assert (caught.value.refused, waited, len(fake.calls)) == (status != 422, [], 1)


def test_the_rate_limit_s_reset_is_waited_for(fake: Fake, github: GitHub, waited: list[float]) -> None:
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(time.time()) + 30)}
    fake.fail("GET", "/pulls/7", 403, headers, "API rate limit exceeded", times=1)
    assert title(github) == "[Feature] A title"
    assert len(waited) == 1
    assert 25 < waited[0] <= 31


def test_the_secondary_limit_without_a_header_is_a_minute(fake: Fake, github: GitHub, waited: list[float]) -> None:
    fake.fail("GET", "/pulls/7", 403, message="You have exceeded a secondary rate limit", times=1)
    assert title(github) == "[Feature] A title"
    assert waited == [60.0]


def test_a_limit_beyond_patience_is_not_waited_for(fake: Fake, github: GitHub, waited: list[float]) -> None:
    fake.fail("GET", "/pulls/7", 429, {"Retry-After": "3600"})
    with pytest.raises(Failure, match="answered 429") as caught:
        title(github)
    assert (waited, caught.value.refused) == ([], False)


def test_what_may_have_been_done_is_not_repeated_unless_harmless(
    fake: Fake, github: GitHub, waited: list[float]
) -> None:
    fake.fail("POST", COMMENTS, DROP, times=1, after=True)
    with pytest.raises(Failure, match="gave no answer"):
        github.call("comment", "issues.create_comment", again=False, issue_number=7, body="x")
    assert [comment["body"] for comment in fake.comments[7]] == ["x"]
    # A limit says that nothing was done.
    fake.fail("POST", COMMENTS, 429, {"Retry-After": "2"}, times=1)
    github.call("comment", "issues.create_comment", again=False, issue_number=7, body="y")
    assert [comment["body"] for comment in fake.comments[7]] == ["x", "y"]
    assert waited == [2.0]


def test_pages_are_read_to_the_end_and_not_beyond(fake: Fake, github: GitHub) -> None:
    for number in range(230):
        fake.comment(7, str(number))
    found = [item.body for item in github.pages("read", "issues.list_comments", issue_number=7)]
    assert found == [str(number) for number in range(230)]
    assert [(call.query["page"], call.query["per_page"]) for call in fake.calls] == [
        ("1", "100"),
        ("2", "100"),
        ("3", "100"),
    ]


@pytest.mark.parametrize("name", ["ci/olddeps", "a b", "100%", "caf\u00e9", "a?b#c", "x/../y", "{owner}"])
def test_a_label_s_name_is_encoded(fake: Fake, github: GitHub, name: str) -> None:
    fake.set_label(7, name, "someone")
    fake.set_label(7, "other", "someone")
    github.delete_label("remove", 7, name)
    assert fake.labels[7] == ["other"]
    github.delete_label("remove", 7, name)
    assert len(fake.calls) == 2


def test_nothing_answers() -> None:
    with slow_server() as url:
        github = GitHub("pytorch/rl", "token", url, sleep=lambda seconds: None)
        github.api.transport.timeout = 0.05
        with pytest.raises(Failure, match="gave no answer"):
            title(github)


def test_a_slow_answer_is_an_answer(fake: Fake, github: GitHub, waited: list[float]) -> None:
    fake.fail("GET", "/pulls/7", 502, slow=0.2, times=1)
    assert title(github) == "[Feature] A title"
    assert waited == [1.0]


def test_an_answer_that_is_no_json(github: GitHub, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    import json

    from . import fake as module

    monkeypatch.setattr(module.json, "dumps", lambda content, _dumps=json.dumps: _dumps(content)[:-2])
    with pytest.raises(Failure, match="an answer that is no JSON"):
        title(github)
    fake.wrong.clear()


def test_the_commands_do_not_import_it() -> None:
    code = (
        "import sys, torchrl_preflight.hooks.cli, torchrl_preflight.checks.cli, torchrl_preflight.actions.cli;"
        "print([name for name in ('ghapi', 'fastcore', 'httpx2') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
