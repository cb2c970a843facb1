"""The tools that read workflows without running them have nothing to say of ours.

What each is told to leave out, and why, stands in ``.github/zizmor.yml`` and ``.github/jactionlint.yaml``.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from .act import ROOT
from .lint import TOOLS, linted

WORKFLOWS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(".github/workflows/*.yml"))
ACTIONS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("actions/*/action.yml"))
PLANTED = """\
name: planted
on: [pull_request]
jobs:
  planted:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - run: echo "${{ github.event.pull_request.title }}" ${{ needs.nothing.outputs.x }}
"""


@pytest.mark.parametrize("tool", TOOLS)
def test_nothing_is_found(tool: str) -> None:
    done = linted(tool, ROOT, WORKFLOWS, ACTIONS)
    assert done.returncode == 0, done.stdout + done.stderr


def test_github_s_own_parser_finds_nothing(parsed, tmp_path: Path) -> None:
    assert parsed(ROOT, *WORKFLOWS, *ACTIONS) == ""
    (tmp_path / "planted.yml").write_text(PLANTED)
    assert parsed(tmp_path, "planted.yml") == "planted.yml:8: Context access might be invalid: nothing\n"


@pytest.mark.parametrize("tool", ["jactionlint", "actionlint", "zizmor"])
def test_a_title_in_a_script_would_be_found(tool: str, tmp_path: Path) -> None:
    """That silence means something: the same call sees a planted fault."""
    shutil.copytree(ROOT / ".github", tmp_path / ".github")
    shutil.copytree(ROOT / "actions", tmp_path / "actions", ignore=shutil.ignore_patterns("*.py"))
    (tmp_path / ".github" / "workflows" / "planted.yml").write_text(PLANTED)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    done = linted(tool, tmp_path, [*WORKFLOWS, ".github/workflows/planted.yml"], ACTIONS)
    assert done.returncode not in (0, 2, 3), done.stderr
    assert "planted.yml:8" in done.stdout
