"""``torchrl-lint pins``: constraints in every kind of file, with their lines."""

from __future__ import annotations

import json

import pytest

FILES = {
    "pyproject.toml": """[build-system]
requires = ["numpy"]

[project]
dependencies = [
    "torch>=2.1.0",
    "mujoco>=3.8",
]

[project.optional-dependencies]
old = ["mujoco<3; python_version < '3.11'"]

[dependency-groups]
dev = [
    "mujoco>=3.8",
    {include-group = "other"},
]
""",
    "docs/requirements.txt": "# mujoco==1\n-r other.txt\nmujoco[extra]==3.8.1 --hash=sha256:abc\nsphinx  # any\n",
    ".github/unittest/linux/scripts/run_all.sh": """#!/bin/bash
# pip install mujoco==0
retry() { "$@"; }
retry python -m pip install \\
  --index-url https://example.org/mujoco==2 \\
  "pytest" \\
  "MuJoCo>=3.8.0" \\
  "torch==${TORCH}"
echo "mujoco==5"
if [ -n "$CUDA" ]; then bash -c 'uv pip install mujoco~=3.8'; fi
conda install -y mujoco=3.9 python=3.10
""",
    ".github/unittest/linux_libs/scripts_x/environment.yml": """channels:
  - conda-forge
dependencies:
  - python==3.10.12
  - mujoco=3.3=py310_0
  - pip:
    - mujoco<3.3.6
""",
    ".github/workflows/docs.yml": """on: push
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - run: pip install "mujoco>=3.8" ${{ inputs.more }}
      - run: |
          set -e
          pip install mujoco!=3.8.2
""",
}


@pytest.fixture
def tree(repo):
    repo.commit("pins", FILES)
    return repo


def test_every_kind_of_file(tree, lint) -> None:
    outcome = lint(tree, "pins", "MUJOCO", "--format", "json")
    (package,) = json.loads(outcome.out)["packages"]
    places = [(pin["path"], pin["line"], pin["constraint"], pin["where"], pin["marker"]) for pin in package["pins"]]
    script, environment = (
        ".github/unittest/linux/scripts/run_all.sh",
        ".github/unittest/linux_libs/scripts_x/environment.yml",
    )
    assert (outcome.status, package["package"], package["agree"]) == (0, "mujoco", False)
    assert places == [
        (script, 7, ">=3.8.0", "", ""),
        (script, 10, "~=3.8", "", ""),
        (script, 11, "==3.9", "", ""),
        (environment, 5, "==3.3", "", ""),
        (environment, 7, "<3.3.6", "", ""),
        (".github/workflows/docs.yml", 6, ">=3.8", "build", ""),
        (".github/workflows/docs.yml", 9, "!=3.8.2", "build", ""),
        ("docs/requirements.txt", 3, "==3.8.1", "", ""),
        ("pyproject.toml", 7, ">=3.8", "", ""),
        ("pyproject.toml", 11, "<3", "extra old", "python_version < '3.11'"),
        ("pyproject.toml", 15, ">=3.8", "group dev", ""),
    ]


def test_all_packages_that_have_a_constraint(tree, lint) -> None:
    packages = json.loads(lint(tree, "pins", "--format", "json").out)["packages"]
    assert [item["package"] for item in packages] == ["mujoco", "python", "torch"]


def test_text_and_markdown_show_what_belongs_together(tree, lint) -> None:
    lines = lint(tree, "pins", "torch").out.splitlines()
    assert lines == [
        "torch: 1 constraint; those that belong together agree",
        "  >=2.1.0",
        "    * pyproject.toml:6",
        "* belongs together with the others that have one",
    ]
    assert "  - * `pyproject.toml:6`" in lint(tree, "pins", "torch", "--format", "markdown").out


def test_a_name_that_no_file_has(tree, lint) -> None:
    outcome = lint(tree, "pins", "mujocco")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == "torchrl-lint: mujocco: no file of working tree asks for it; is that its name for pip?\n"


def test_what_cannot_be_read_is_named(tree, lint) -> None:
    tree.commit(
        "broken",
        {
            ".github/workflows/docs.yml": "on: [push\njobs: {{{",
            ".github/unittest/linux_libs/scripts_x/environment.yml": "dependencies:\n - a: [\n",
            ".github/unittest/linux_libs/scripts_y/environment.yml": b"\xff\xfe\x00dependencies",
            ".github/unittest/linux/scripts/run_all.sh": b"if [ ; then (\n\x00\xff pip install mujoco==1",
            "docs/requirements.txt": b"\xff\xfe\x00",
            "sota/requirements.txt": "mujoco==1" + "(" * 5000,
        },
    )
    outcome = lint(tree, "pins", "--format", "json")
    notes = json.loads(outcome.out)["notes"]
    assert outcome.status == 0
    assert [note.partition(":")[0] for note in notes] == [
        ".github/unittest/linux/scripts/run_all.sh",
        ".github/unittest/linux_libs/scripts_x/environment.yml",
        ".github/unittest/linux_libs/scripts_y/environment.yml",
        ".github/workflows/docs.yml",
    ]
