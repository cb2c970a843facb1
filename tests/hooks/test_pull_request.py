"""What is known about the pull request: its title's tag, and emoji in what it and its commits say."""

from __future__ import annotations

import json

import pytest
from torchrl_preflight.hooks.pull_request import PullRequest, known

RULES = "# Rules\n\n```text\n[BugFix] [Doc]\n[Feature]\n```\n"


def event(repo, **pull_request) -> str:
    return str(repo.write("../event.json", json.dumps({"pull_request": pull_request})))


@pytest.fixture
def titled(repo, lint):
    """``titled(*arguments)``: findings of the two rules on a change of one file."""
    repo.commit("[Doc] Rules", {"CLAUDE.md": RULES})
    repo.write("torchrl/envs/common.py", "from __future__ import annotations\n\nX = 1\n")

    def run(*arguments: str) -> list[tuple[str, str, str]]:
        done = lint(repo, "--format", "json", "--base", "HEAD", "--select", "pr-title-tag,emoji", *arguments)
        return [(item["rule"], item["path"], item["symbol"]) for item in done.report["findings"]]

    return run


def test_title_is_known_from_the_command_line_first(tmp_path) -> None:
    path = tmp_path / "event.json"
    path.write_text(
        json.dumps({"pull_request": {"title": "[Doc] A", "body": None, "user": {"login": "ada", "type": "User"}}})
    )
    assert known("[CI] B", {"GITHUB_EVENT_PATH": str(path)}) == PullRequest("[CI] B")
    assert known("", {"GITHUB_EVENT_PATH": str(path)}) == PullRequest("[Doc] A", "", "ada", False)


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"pull_request": 3}', '{"push": {}}', '{"pull_request": {"user": null}}']
)
def test_an_event_that_says_nothing_is_no_pull_request(tmp_path, content: str) -> None:
    path = tmp_path / "event.json"
    path.write_text(content)
    assert known("", {"GITHUB_EVENT_PATH": str(path)}) == PullRequest()
    assert known("", {"GITHUB_EVENT_PATH": str(tmp_path / "absent")}) == PullRequest()


@pytest.mark.parametrize("user", [{"login": "dependabot[bot]", "type": "Bot"}, {"login": "pre-commit-ci[bot]"}])
def test_bots_need_no_tag(repo, titled, monkeypatch, user) -> None:
    monkeypatch.setenv("GITHUB_EVENT_PATH", event(repo, title="Bump torch", user=user))
    assert titled() == []


def test_title_of_the_event_is_judged(repo, titled, monkeypatch) -> None:
    monkeypatch.setenv("GITHUB_EVENT_PATH", event(repo, title="Add X", user={"login": "ada"}))
    assert titled() == [("pr-title-tag", ".", "Add X")]
    assert titled("--title", "[Doc] Add X") == []
    assert titled("--title", "[Doc, Setup] Add X") == []


def test_close_tag_is_named(repo, titled, lint) -> None:
    done = lint(repo, "--format", "json", "--base", "HEAD", "--select", "pr-title-tag", "--title", "[bugfix] x")
    assert (
        done.report["findings"][0]["message"]
        == "[bugfix] is none of the tags of this repository; did you mean [BugFix]?"
    )


def test_no_title_and_no_rules_are_no_finding(repo, titled, lint) -> None:
    assert titled() == []
    repo.commit("without", {"CLAUDE.md": "# Rules\n"})
    repo.write("torchrl/envs/common.py", "X = 2\n")
    assert titled("--title", "Add X") == []


def test_emoji_in_title_description_and_commit(repo, lint, monkeypatch) -> None:
    base = repo.head
    commit = repo.commit("[Doc] Done \U0001f389", {"a.md": "text\n"})
    repo.commit("[Doc] plain", {"b.md": "text\n"})
    monkeypatch.setenv("GITHUB_EVENT_PATH", event(repo, title="\U0001f680 go", body="- \u2705 tested", user={}))
    done = lint(repo, "--format", "json", "--base", base, "--select", "emoji")
    assert [(item["path"], item["line"], item["symbol"], item["severity"]) for item in done.report["findings"]] == [
        (".", None, f"the message of commit {commit[:7]}", "warning"),
        (".", None, "the pull request's description", "warning"),
        (".", None, "the pull request's title", "warning"),
    ]
    assert done.status == 0
    repo.write("c.md", "text\n")
    repo.git("add", "c.md")
    staged = lint(repo, "--format", "json", "--staged", "--select", "emoji")
    assert [item["symbol"] for item in staged.report["findings"]] == [
        "the pull request's description",
        "the pull request's title",
    ]
