"""Labels for a change: the labeler's rules, the command, and the report's list."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from torchrl_preflight.hooks.facts.labeler import labels as facts
from torchrl_preflight.hooks.facts.store import Store
from torchrl_preflight.hooks.profile import choose
from torchrl_preflight.hooks.project import Project
from torchrl_preflight.hooks.project.labeler import asked
from torchrl_preflight.hooks.tree import plain_folder

LABELER = """
"Any":
  - changed-files:
    - any-glob-to-any-file: ['torchrl/**', '*.md']
"AnyAll":
  - changed-files:
    - any-glob-to-all-files: ['torchrl/**', '*.md']
"AllAny":
  - changed-files:
    - all-globs-to-any-file: ['torchrl/**', '!**/a.py']
"AllAll":
  - changed-files:
    - all-globs-to-all-files: ['torchrl/**', '**/*.py']
"Together":
  - all:
    - changed-files:
      - any-glob-to-any-file: 'torchrl/**'
    - base-branch: ['^main$', '^release/']
"Either":
  - any:
    - changed-files: 'nothing/**'
    - head-branch: '^feature'
"Blocks":
  - all:
    - changed-files:
      - any-glob-to-any-file: 'torchrl/**'
  - any:
    - changed-files:
      - any-glob-to-any-file: 'docs/**'
"Joined":
  - changed-files:
    - any-glob-to-any-file: 'nothing/**'
  - base-branch: 'main'
"Bare":
  - changed-files: ['torchrl/**']
"Old": 'torchrl/**'
"Older":
  - 'torchrl/**'
"Broken":
  - base-branch: '('
"""

WORKFLOW = """
name: suites
on:
  pull_request:
jobs:
  tests-olddeps:
    if: contains(github.event.pull_request.labels.*.name, 'ci/olddeps')
    runs-on: ubuntu-latest
    steps:
      - run: pytest test
  unittests-brax:
    if: contains(github.event.pull_request.labels.*.name, 'Environments')
    runs-on: ubuntu-latest
    steps:
      - run: pytest test/libs
"""


def _asked(tmp_path: Path, files: list[str], **environment: str) -> list[str]:
    (tmp_path / "torchrl").mkdir()
    (tmp_path / "torchrl/__init__.py").write_text("")
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github/labeler.yml").write_text(LABELER)
    tree = plain_folder(tmp_path)
    project = Project(tree, choose(tree, frozenset()), Store(None))
    return [item.label for item in asked(project, files, environment)]


@pytest.mark.parametrize(
    ("files", "environment", "expected"),
    [
        (["torchrl/a.py"], {}, ["Any", "AnyAll", "AllAll", "Together", "Joined", "Bare"]),
        (["torchrl/b.txt", "torchrl/a.py"], {}, ["Any", "AnyAll", "AllAny", "Together", "Joined", "Bare"]),
        (["README.md", "torchrl/a.py"], {"GITHUB_BASE_REF": "dev"}, ["Any", "Bare"]),
        (["docs/a.rst"], {"GITHUB_BASE_REF": "dev", "GITHUB_HEAD_REF": "feature-x"}, ["Either"]),
        (
            ["docs/a.rst", "torchrl/b.py"],
            {"GITHUB_BASE_REF": "release/0.14"},
            ["Any", "AllAny", "Together", "Blocks", "Bare"],
        ),
        ([], {}, []),
    ],
)
def test_labeler(tmp_path: Path, files: list[str], environment: dict[str, str], expected: list[str]) -> None:
    assert _asked(tmp_path, files, **environment) == expected


def test_faults_have_lines_and_the_rest_goes_on() -> None:
    found = facts(LABELER.encode())

    assert [(fault.label, fault.line, fault.stops) for fault in found.faults] == [
        ("Old", 36, True),
        ("Older", 38, True),
        ("Broken", 40, True),
    ]
    assert len(found.labels) == 10


@pytest.mark.parametrize(
    ("text", "line"), [("a: [\n", 2), ("a: b: c\n", 1), ("- a\n", 1), ("a: &x [*x]\n", None), ("", None)]
)
def test_what_is_no_configuration(text: str, line: int | None) -> None:
    failure = facts(text.encode()).failure

    assert (failure.line if failure else None) == line


@pytest.fixture
def changed(repo):
    repo.commit(
        "before",
        {
            ".github/labeler.yml": '"Environments":\n  - changed-files:\n    - any-glob-to-any-file: "torchrl/envs/**"\n"Code":\n'
            '  - changed-files:\n    - any-glob-to-any-file: "torchrl/**"\n',
            ".github/workflows/suites.yml": WORKFLOW,
        },
    )
    repo.commit(
        "after", {"torchrl/envs/new.py": "import torch\n\n\ndef device():\n    return torch.get_default_device()\n"}
    )
    return repo


def test_command_as_json(changed, lint) -> None:
    outcome = lint(changed, "labels", "--base", "HEAD~1", "--format", "json")

    told = json.loads(outcome.out)
    assert outcome.status == 0
    assert [(row["label"], row["path"], row["jobs"]) for row in told["labels"]] == [
        ("Code", "torchrl/envs/new.py", []),
        ("Environments", "torchrl/envs/new.py", ["unittests-brax"]),
        ("ci/olddeps", "torchrl/envs/new.py", ["tests-olddeps"]),
    ]
    assert (told["olddeps"], told["optdeps"]) == (True, False)


def test_command_as_text(changed, lint) -> None:
    lines = lint(changed, "labels", "--base", "HEAD~1").out.splitlines()

    assert lines == [
        "set these before you push: adding one later starts nothing:",
        "  Environments",
        "    starts: unittests-brax",
        "    reason: .github/labeler.yml:1 sets it for torchrl/envs/new.py",
        "  ci/olddeps",
        "    starts: tests-olddeps",
        "    reason: torchrl/envs/new.py:5: torch.get_default_device exists since torch 2.3, and nothing takes another way on 2.1.0",
        "  gh pr create --label Environments --label ci/olddeps",
        "no job waits for these, and the repository's own workflows set most of them:",
        "  Code: .github/labeler.yml:4 sets it for torchrl/envs/new.py",
    ]


def test_command_as_markdown(changed, lint) -> None:
    lines = lint(changed, "labels", "--base", "HEAD~1", "--format", "markdown").out.splitlines()

    assert lines[0] == "**Labels** (set these before you push: adding one later starts nothing)"
    assert "| `Environments` | unittests-brax | .github/labeler.yml:1 sets it for torchrl/envs/new.py |" in lines


def test_labels_never_fail_a_run_and_stand_in_the_report(changed, lint) -> None:
    outcome = lint(changed, "--base", "HEAD~1", "--select", "label-env,label-ci-olddeps", "--format", "json")

    assert outcome.status == 0
    assert [(row["label"], row["path"]) for row in outcome.report["labels"]] == [
        ("Code", "torchrl/envs/new.py"),
        ("Environments", "torchrl/envs/new.py"),
        ("ci/olddeps", "torchrl/envs/new.py"),
    ]
    assert outcome.report["labels"][1]["reason"] == ".github/labeler.yml:1 sets it for torchrl/envs/new.py"


def test_a_change_without_labels(repo, lint) -> None:
    repo.commit("before", {"notes.txt": "a"})
    repo.commit("after", {"notes.txt": "b"})

    assert lint(repo, "labels", "--base", "HEAD~1").out == "this change needs no label\n"


def test_no_base_is_wrong_usage(repo, lint) -> None:
    repo.commit("only", {"notes.txt": "a"})

    outcome = lint(repo, "labels")
    assert outcome.status == 2
    assert "give --base" in outcome.err


def test_a_tree_that_fits_no_profile_needs_no_label(tmp_path, lint) -> None:
    """As with the other commands it is a note: a workflow that is used elsewhere has nothing to do there."""
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    done = lint(tmp_path, "labels", "--format", "json")
    assert (done.status, done.report["labels"]) == (0, [])
    assert done.report["notes"] == [
        "no profile fits this tree (it has neither torchrl nor tensordict), so nothing was judged"
    ]
