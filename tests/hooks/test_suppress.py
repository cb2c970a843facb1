"""Suppressions: where a comment counts, what it must say, and that none outlives its fault."""

from __future__ import annotations

import pytest

HEAD = "import pytest\nimport torch\n\n\n"
SKIP = '@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")\n'
TEST = "def test_a():\n    assert True\n"
WHY = "# preflight: ignore[gpu-marker-missing] runs in a job of its own"

ANSWERED = {
    "on_the_line": SKIP + TEST.replace(":\n", f":  {WHY}\n", 1),
    "on_the_line_above": SKIP + WHY + "\n" + TEST,
    "above_the_decorators": WHY + "\n" + SKIP + TEST,
    "above_several_decorators": WHY + "\n@pytest.mark.slow\n" + SKIP + TEST,
    "above_a_decorator_of_several_lines": WHY + "\n" + SKIP.replace("(", "(\n    ", 1) + TEST,
    "with_another_rule": f"{WHY.replace('[', '[syntax-error, ')}\n{SKIP}{TEST}",
    "without_spaces": SKIP + TEST.replace(":\n", ":  #preflight:ignore[gpu-marker-missing]why\n", 1),
    "after_another_comment": SKIP + TEST.replace(":\n", f":  # noqa: D103  {WHY}\n", 1),
    "in_a_class": "class TestA:\n    " + WHY + "\n    " + SKIP + "    def test_a(self):\n        pass\n",
}
NOT_ANSWERED = {
    "two_lines_above": WHY + "\n\n" + SKIP + TEST,
    "on_the_decorator": SKIP.replace("\n", f"  {WHY}\n") + TEST,
    "behind_code_above": f"x = 1  {WHY}\n" + TEST.replace("def", "def", 1).join([SKIP, ""]),
    "in_the_body": SKIP + TEST.replace("assert", f"{WHY}\n    assert"),
    "in_a_string": SKIP.replace("needs CUDA", WHY) + TEST,
    "another_rule": f"{WHY.replace('gpu-marker-missing', 'syntax-error')}\n{SKIP}{TEST}",
    "a_blanket": f"# preflight: ignore runs elsewhere\n{SKIP}{TEST}",
    "another_tool": SKIP + TEST.replace(":\n", ":  # noqa: gpu-marker-missing\n", 1),
}


@pytest.mark.parametrize("where", ANSWERED)
def test_where_a_comment_counts(repo, judge, where) -> None:
    repo.write("test/test_a.py", HEAD + ANSWERED[where])
    outcome = judge(repo, "--base", "HEAD", "--select", "gpu-marker-missing")
    assert (outcome.status, outcome.found) == (0, [])


@pytest.mark.parametrize("where", NOT_ANSWERED)
def test_where_a_comment_does_not_count(repo, judge, where) -> None:
    repo.write("test/test_a.py", HEAD + NOT_ANSWERED[where])
    outcome = judge(repo, "--base", "HEAD", "--select", "gpu-marker-missing")
    assert (outcome.status, outcome.symbols) == (1, ["test_a"])


def messages(outcome):
    return [(item["rule"], item["line"], item["severity"], item["message"]) for item in outcome.report["findings"]]


def test_a_comment_without_a_reason(repo, judge) -> None:
    repo.write("test/test_a.py", HEAD + SKIP + TEST.replace(":\n", ":  # preflight: ignore[gpu-marker-missing]\n", 1))
    assert messages(judge(repo, "--base", "HEAD")) == [
        ("suppression-invalid", 6, "error", "this suppression gives no reason"),
    ]


def test_a_comment_that_names_no_rule(repo, judge) -> None:
    repo.write("test/test_a.py", "x = 1  # preflight: ignore because\ny = 1  # preflight: ignore[] because\n")
    assert messages(judge(repo, "--base", "HEAD")) == [
        ("suppression-invalid", 1, "error", "this suppression names no rule"),
        ("suppression-invalid", 2, "error", "this suppression names no rule"),
    ]


def test_a_comment_that_names_an_unknown_rule(repo, judge) -> None:
    repo.write("test/test_a.py", "x = 1  # preflight: ignore[gpu-marker] because\n")
    assert messages(judge(repo, "--base", "HEAD")) == [
        ("suppression-invalid", 1, "error", "no rule is called 'gpu-marker'"),
    ]


def test_a_comment_that_suppresses_nothing(repo, judge) -> None:
    repo.write("test/test_a.py", f"{HEAD}{WHY}\n{TEST}")
    assert messages(judge(repo, "--base", "HEAD")) == [
        ("suppression-unused", 5, "warning", "gpu-marker-missing finds nothing here to suppress"),
    ]


def test_a_comment_of_a_rule_that_did_not_run_is_not_judged(repo, judge) -> None:
    repo.write("test/test_a.py", f"{HEAD}{WHY}\n{TEST}")
    assert judge(repo, "--base", "HEAD", "--select", "suppression-unused").found == []


def test_an_old_unused_comment_is_not_new(repo, judge) -> None:
    repo.commit("old", {"test/test_a.py": f"{HEAD}{WHY}\n{TEST}"})
    repo.write("test/test_a.py", f"{HEAD}{WHY}\n{TEST}# more\n")
    assert judge(repo, "--base", "HEAD").found == []


def test_a_comment_whose_fault_was_repaired_is_new(repo, judge) -> None:
    repo.commit("old", {"test/test_a.py": f"{HEAD}{WHY}\n{SKIP}{TEST}"})
    repo.write("test/test_a.py", f"{HEAD}{WHY}\n{TEST}")
    assert [(rule, line) for rule, line, _, _ in messages(judge(repo, "--base", "HEAD"))] == [("suppression-unused", 5)]


def test_a_comment_for_a_rule_about_changes_is_left_alone(repo, judge) -> None:
    """Such a rule finds nothing once the change is in."""
    repo.write(
        "torchrl/envs/common.py",
        "def step():  # preflight: ignore[deprecation-schedule] agreed on in review\n    pass\n",
    )
    assert judge(repo, "--base", "HEAD", "--select", "deprecation-schedule,suppression-unused").found == []


def test_only_one_of_two_comments_is_used(repo, judge) -> None:
    repo.write("test/test_a.py", HEAD + WHY + "\n" + SKIP + TEST.replace(":\n", f":  {WHY}\n", 1))
    assert [(rule, line) for rule, line, _, _ in messages(judge(repo, "--base", "HEAD"))] == [("suppression-unused", 7)]


def test_show_suppressed(repo, lint, judge) -> None:
    repo.write("test/test_a.py", HEAD + SKIP + TEST.replace(":\n", f":  {WHY}\n", 1))
    outcome = judge(repo, "--base", "HEAD", "--show-suppressed")
    assert [(item["symbol"], item["suppressed"], item["edit"]) for item in outcome.report["findings"]] == [
        ("test_a", "test/test_a.py:6 gpu-marker-missing", None),
    ]
    assert outcome.status == 0
    text = lint(repo, "--base", "HEAD", "--select", "gpu-marker-missing", "--show-suppressed").out
    assert "  Suppressed by test/test_a.py:6 gpu-marker-missing\n" in text
    hidden = lint(repo, "--base", "HEAD", "--select", "gpu-marker-missing").out
    assert hidden.splitlines()[-1] == "no findings in 1 file judged; 1 suppressed"


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        (
            "a.yml",
            b"jobs: {}  # preflight: ignore[label-inconsistent] set by hand\n",
            (("label-inconsistent",), "set by hand", 1, False),
        ),
        (
            "a.sh",
            b"#!/bin/sh\n# preflight: ignore[test-never-collected] kept\npytest test\n",
            (("test-never-collected",), "kept", 2, True),
        ),
        (
            "a.rst",
            b"Title\n=====\n\n.. preflight: ignore[config-cross-reference] old name\n",
            (("config-cross-reference",), "old name", 4, True),
        ),
    ],
)
def test_comments_of_other_files(path: str, text: bytes, found: tuple) -> None:
    from torchrl_preflight.hooks.facts.comments import comments

    assert [tuple(item) for item in comments(text).suppressions] == [found]


def test_a_comment_in_a_script_answers_its_finding(repo, lint) -> None:
    path = ".github/unittest/linux/scripts/run_old.sh"
    repo.commit("base")
    repo.write(path, "#!/usr/bin/env bash\npytest test\n")
    assert (path, 1, "test-never-collected") in lint(repo, "--base", "HEAD", "--format", "json").found
    repo.write(
        path,
        "#!/usr/bin/env bash  # preflight: ignore[test-never-collected, label-inconsistent] called by hand before a release\npytest test\n",
    )
    assert lint(repo, "--base", "HEAD", "--format", "json").found == []
