"""``torchrl-lint changelog``: which commits, in which order, under which heading, and which are left out."""

from __future__ import annotations

import json

import pytest

OLD = {
    "version.txt": "0.13.0\n",
    "torchrl/envs/common.py": '__all__ = ["EnvBase", "Old"]\n\n\nclass EnvBase:\n    pass\n\n\nclass Old:\n    pass\n',
    "torchrl/envs/__init__.py": 'from .common import EnvBase, Old\n\n__all__ = ["EnvBase", "Old"]\n',
}
NEW = {
    "torchrl/envs/common.py": "import warnings\n\n\nclass EnvBase:\n    def close(self):\n"
    '        warnings.warn("close is deprecated and will be removed in v0.15", DeprecationWarning)\n',
    "torchrl/envs/__init__.py": 'from .common import EnvBase\n\n__all__ = ["EnvBase"]\n',
}
STACK = "ghstack-source-id: {}\nPull-Request: {}"


@pytest.fixture
def history(repo, monkeypatch):
    """v0.13.0, a release branch with two backports tagged v0.13.1, and main with all kinds of commits."""
    clock = [1_700_000_000]

    def commit(message: str, files=None, step: int = 3600, author: str = "Ann") -> str:
        clock[0] += step
        for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            monkeypatch.setenv(name, f"{clock[0]} +0000")
        monkeypatch.setenv("GIT_AUTHOR_NAME", author)
        return repo.commit(message, files)

    commit("start", OLD)
    repo.git("tag", "v0.13.0")
    commit("[BugFix] Mend the reset (#11)", {"a.txt": "1"})
    picked = commit("[Test] Without a number", {"b.txt": "1"})
    commit("Revert me", {"c.txt": "1"})
    reverted = repo.head
    commit(f'Revert "Revert me"\n\nThis reverts commit {reverted}.', {"c.txt": None})
    commit("[Feature] First of two (#21)\n\n" + STACK.format("abc", "https://github.com/pytorch/rl/pull/21"), step=3600)
    commit("[Doc] Second of two\n\n" + STACK.format("def", "https://github.com/pytorch/rl/pull/22"), step=1)
    commit("[feature,Doc] Another thing (#23) (#24)", NEW)
    commit("[Feature] Same title (#31)")
    repo.git("checkout", "-q", "-b", "release/0.13.1", "v0.13.0")
    commit("[BugFix] Mend the reset (#11) (#99)", {"a.txt": "1"})
    commit(f"[Test] Renamed\n\n(cherry picked from commit {picked})", {"b.txt": "1"})
    commit("[Feature] Same title (#30)")
    commit("[Versioning] 0.13.1", {"version.txt": "0.13.1\n"})
    repo.git("tag", "v0.13.1")
    repo.git("checkout", "-q", "main")
    commit("Bump x from 1 to 2 (#25)", author="bot[bot]")
    return repo


def report(lint, repo, *arguments: str) -> dict:
    outcome = lint(repo, "changelog", *arguments, "--format", "json")
    assert outcome.status == 0, outcome.err
    return json.loads(outcome.out)


def test_what_is_in_and_what_is_left_out(history, lint) -> None:
    found = report(lint, history, "v0.13.0", "main")
    listed = [(item["title"], item["tag"], item["number"], item["stack"] is not None) for item in found["commits"]]
    assert listed == [
        ("Bump x from 1 to 2", "", 25, False),
        ("[Feature] Same title", "Feature", 31, False),
        ("[feature,Doc] Another thing", "feature", 24, False),
        ("[Doc] Second of two", "Doc", 22, True),
        ("[Feature] First of two", "Feature", 21, True),
    ]
    left = [(item["title"], item["shipped_in"], item["reverted_with"] is not None) for item in found["left_out"]]
    assert left == [
        ('Revert "Revert me"', None, True),
        ("Revert me", None, True),
        ("[Test] Without a number", "v0.13.1", False),
        ("[BugFix] Mend the reset", "v0.13.1", False),
    ]


def test_the_api_and_the_ledger_come_with_it(history, lint) -> None:
    found = report(lint, history, "v0.13.0", "main")
    assert [(item["kind"], item["symbol"]) for item in found["api"]] == [("removed", "torchrl.envs.Old")]
    (row,) = found["announcements"]
    assert (row["symbol"], row["target"], row["since"]) == ("EnvBase.close", "v0.15", "new")


def test_a_release_has_its_own_backports(history, lint) -> None:
    found = report(lint, history, "v0.13.0", "v0.13.1")
    assert [item["numbers"] for item in found["commits"]] == [[], [30], [], [99, 11]]
    assert found["left_out"] == []


def test_from_the_patch_release(history, lint) -> None:
    found = report(lint, history, "v0.13.1", "main")
    assert [item["number"] for item in found["commits"]] == [25, 31, 24, 22, 21]


def test_pages(history, lint) -> None:
    text = lint(history, "changelog", "v0.13.0", "main").out
    assert text.splitlines()[:9] == [
        "v0.13.0 to main: 5 commits",
        "",
        "[Feature] (4)",
        "- [Feature] Same title (#31, Ann)",
        "- [feature,Doc] Another thing (#24, Ann)",
        "- a stack of 2:",
        "  - [Doc] Second of two (#22, Ann)",
        "  - [Feature] First of two (#21, Ann)",
        "",
    ]
    assert "- [BugFix] Mend the reset (#11, Ann): shipped in v0.13.1" in text
    markdown = lint(history, "changelog", "v0.13.0", "main", "--format", "markdown").out
    assert "## \\[Feature\\] (4)" in markdown
    assert "- v0.15: `EnvBase.close`" in markdown or "- v0.15: `torchrl.envs.EnvBase.close`" in markdown


@pytest.mark.parametrize(
    ("message", "numbers"),
    [
        ("T\n\nPull-Request: https://github.com/pytorch/rl/pull/7", [7]),
        ("T\r\n\r\nPull-Request: #7\r\n", [7]),
        ("T\n\npull-request: 7", [7]),
        ("T\n\nPull-Request-Resolved: https://github.com/pytorch/rl/pull/7/", [7]),
        ("T (#8)\n\nPull-Request: https://github.com/pytorch/rl/pull/7", [8, 7]),
        ("T\n\nPull-Request:", []),
        ("T\n\nPull-Request: https://example.org/x", []),
        ("T\n\nPull-Request: 99999999999999999999", []),
        ("T\n\nPull-Request: -7\nPull-Request: seven", []),
        ("T\n\n> Pull-Request: 7", []),
    ],
)
def test_odd_trailers(repo, lint, message, numbers) -> None:
    repo.git("commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "-m", message)
    (found,) = report(lint, repo, "HEAD^", "HEAD")["commits"]
    assert found["numbers"] == numbers


def test_a_hostile_title_stays_text(repo, lint) -> None:
    repo.git("commit", "--quiet", "--allow-empty", "-m", "[x] <b>**@user** #1\x1b[31m ##[error] ](http://e)")
    out = lint(repo, "changelog", "HEAD^", "HEAD", "--format", "markdown").out
    assert "\x1b" not in out and "##[" not in out and "<b>" not in out and "@user" not in out
    assert lint(repo, "changelog", "HEAD^", "HEAD").out.count("\x1b") == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("v9.9.9",), "v9.9.9: no such commit or tag here; fetch it (git fetch origin --tags)"),
        (("HEAD", "v9.9.9"), "v9.9.9: no such commit or tree here; fetch it (git fetch origin v9.9.9)"),
        (("--", "-x"), "-x: no such commit or tag here; fetch it (git fetch origin --tags)"),
        (("HEAD", "HEAD^"), "HEAD has all of HEAD^ and more; did you mean the other way round?"),
    ],
)
def test_one_line_for_what_makes_no_sense(repo, lint, arguments, said) -> None:
    repo.commit("second")
    outcome = lint(repo, "changelog", *arguments)
    assert (outcome.status, outcome.out, outcome.err) == (2, "", f"torchrl-lint: {said}\n")


def test_nothing_between(repo, lint) -> None:
    assert lint(repo, "changelog", "HEAD", "HEAD").out.splitlines() == ["HEAD to HEAD: 0 commits"]
