"""What a change takes away: deleted test files, and the lines in which their authors answer for it."""

from __future__ import annotations

import json

import pytest
from torchrl_preflight.hooks.trailers import trailer

LOST = ("--select", "lost-test,lost-mark", "--format", "json")
TESTS = """from torchrl.envs.common import EnvBase


class TestEnv:
    def test_step(self):
        assert EnvBase().step(1)


def test_reset():
    assert EnvBase().reset()
"""


@pytest.fixture
def deleted(repo):
    """A commit that deletes a test file, on top of one that adds it; ``deleted(message)`` makes it."""
    repo.commit("add", {"test/test_env.py": TESTS})

    def delete(message: str) -> None:
        repo.commit(message, {"test/test_env.py": None})

    return delete


def test_a_deleted_file_is_named_with_each_test_and_its_old_line(repo, lint, deleted) -> None:
    deleted("[Refactor] Clean up")
    found = lint(repo, *LOST, "--ref", "HEAD", "--base", "HEAD^").report["findings"]
    places = [(item["path"], item["line"], item["symbol"], item["severity"], item["new"]) for item in found]
    assert places == [
        ("test/test_env.py", 5, "TestEnv::test_step", "warning", True),
        ("test/test_env.py", 9, "test_reset", "warning", True),
    ]
    assert found[0]["message"] == "The test is gone, and no file has it any more; it tested EnvBase"
    shown = repo.git(*found[0]["verify"].replace('"', "").split()[1:])
    assert shown == TESTS.rstrip("\n")


def test_what_it_tested_is_gone_too(repo, lint, deleted) -> None:
    repo.commit("class", {"torchrl/envs/common.py": "class Other:\n    pass\n", "torchrl/envs/__init__.py": ""})
    deleted("test")
    found = lint(repo, *LOST, "--ref", "HEAD", "--base", "HEAD~2").report["findings"]
    assert found[0]["message"].endswith("it tested EnvBase (gone, too: EnvBase)")


@pytest.mark.parametrize("where", ["commit", "working tree", "body"])
def test_a_reason_answers(repo, lint, deleted, where, tmp_path, monkeypatch) -> None:
    line = "Removes-tests: the environments are tested in test/envs"
    deleted("Clean up" if where == "body" else f"Clean up\n\n{line}\n\nSigned-off-by: A. Tester <a@example.org>")
    how = ("--base", "HEAD^") if where == "working tree" else ("--ref", "HEAD", "--base", "HEAD^")
    if where == "body":
        payload = {
            "pull_request": {"title": "[Test] Clean up", "body": f"## Why\r\n\r\n- **Removes-tests**: {line[15:]}\r\n"}
        }
        (tmp_path / "event.json").write_text(json.dumps(payload))
        monkeypatch.setenv("GITHUB_EVENT_PATH", str(tmp_path / "event.json"))
    outcome = lint(repo, *LOST, *how)
    assert outcome.report["findings"] == []
    kept = lint(repo, *LOST, *how, "--show-suppressed").report["findings"]
    assert {item["suppressed"] for item in kept} == {line}


def test_no_reason_answers_nothing(repo, lint, deleted) -> None:
    deleted("Clean up\n\nRemoves-tests:\n")
    assert len(lint(repo, *LOST, "--ref", "HEAD", "--base", "HEAD^").report["findings"]) == 2


def test_a_staged_deletion_is_found(repo, lint, deleted) -> None:
    (repo.path / "test/test_env.py").unlink()
    repo.git("add", "--all")
    assert lint(repo, *LOST, "--staged").symbols == ["TestEnv::test_step", "test_reset"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Removes-tests: moved upstream", "moved upstream"),
        ("removes-TESTS : moved", "moved"),
        ("a\r\n\r\nRemoves-tests: moved\r\n", "moved"),
        ("- `Removes-tests`: `test_a` is moved", "test_a` is moved"),
        ("Removes-tests: überholt \U0001f600", "überholt \U0001f600"),
        ("Removes-tests:\nmoved", ""),
        ("Removes-tests: none.", ""),
        ("Removes-tests: N/A", ""),
        ("Removes-tests: <reason>", ""),
        ("Removes-tests: 42", ""),
        ("Removes-tests: ---", ""),
        ("> Removes-tests: quoted", ""),
        ("this Removes-tests: of course", ""),
        ("<!-- Removes-tests: why -->", ""),
        ("<!--\nRemoves-tests: why\n", ""),
        ("```\nRemoves-tests: why\n```", ""),
        ("```\nRemoves-tests: example\n```\nRemoves-tests: real", "real"),
        ("", ""),
        ("Removes-tests: " + "y" * 30_000, "y" * 300 + "..."),
        ("Removes-tests: \x00\ud800", ""),
    ],
)
def test_trailer(text: str, value: str) -> None:
    assert trailer("Removes-tests", [text]) == value


def test_a_file_that_is_no_test_file_any_more(repo, lint, deleted) -> None:
    repo.git("mv", "test/test_env.py", "test/disabled_env.py")
    repo.commit("disable")
    assert lint(repo, *LOST, "--ref", "HEAD", "--base", "HEAD^").symbols == ["TestEnv::test_step", "test_reset"]
