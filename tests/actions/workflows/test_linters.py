"""The tools that read workflows without running them have nothing to say of ours.

What each is told to leave out, and why, stands in ``.github/zizmor.yml`` and ``.github/jactionlint.yaml``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from .act import ROOT

SCRIPTS = sysconfig.get_path("scripts")
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
TOOLS = {
    "jactionlint": ("jactionlint", "--no-online", *WORKFLOWS, *ACTIONS),
    "actionlint": ("actionlint", *WORKFLOWS),  # it takes an action.yml for a workflow
    "zizmor": ("zizmor", "--offline", "--persona=auditor", "--no-progress", "--quiet", *WORKFLOWS, *ACTIONS),
    "shapes of workflows": ("check-jsonschema", "--builtin-schema=vendor.github-workflows", *WORKFLOWS),
    "shapes of actions": ("check-jsonschema", "--builtin-schema=vendor.github-actions", *ACTIONS),
}


def linted(tool: str, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    program, *arguments = TOOLS[tool]
    # Both actionlints run the shellcheck that they find on the path.
    environment = {**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    command = [shutil.which(program, path=SCRIPTS), *arguments, *more]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)


@pytest.mark.parametrize("tool", TOOLS)
def test_nothing_is_found(tool: str) -> None:
    done = linted(tool, ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """What GitHub's own parser says of files of a folder; npm holds it against the hashes in the lock file."""
    home = shutil.copytree(Path(__file__).with_name("parser"), tmp_path_factory.mktemp("npm") / "parser")
    environment = {**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"}
    npm = [shutil.which("npm", path=SCRIPTS), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run(npm, cwd=home, env=environment, capture_output=True, check=True)

    def run(folder: Path, *paths: str) -> str:
        node = [shutil.which("node", path=SCRIPTS), "validate.mjs", folder, *paths]
        return subprocess.run(node, cwd=home, capture_output=True, text=True, check=True).stdout

    return run


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
    done = linted(tool, tmp_path, ".github/workflows/planted.yml")
    assert done.returncode not in (0, 2, 3), done.stderr
    assert "planted.yml:8" in done.stdout
