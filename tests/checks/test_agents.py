"""AGENTS.md names commands that exist, with arguments that they take."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from torchrl_preflight.checks.cli import _parser as smoke_parser
from torchrl_preflight.hooks.cli import main as lint

ROOT = Path(__file__).parents[2]
COMMANDS = re.findall(r"\| `(torchrl-[^`]+)` \|", (ROOT / "AGENTS.md").read_text())


def test_there_are_commands_for_questions() -> None:
    assert len(COMMANDS) >= 12
    assert all("--format json" in command or "--fix" in command for command in COMMANDS)


@pytest.mark.parametrize("command", [it for it in COMMANDS if it.startswith("torchrl-smoke")])
def test_torchrl_smoke_takes_it(command: str) -> None:
    given = smoke_parser().parse_args(shlex.split(command)[1:])
    assert given.format == "json"


@pytest.mark.parametrize("command", [it for it in COMMANDS if it.startswith("torchrl-lint")])
def test_torchrl_lint_takes_it(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Wrong usage would end before the folder is looked at."""
    words = shlex.split(command)[1:]
    named = words[0] if not words[0].startswith("-") else ""
    status = lint([*words, "--repo", "/nowhere/at/all"])
    assert status == (0 if named == "explain" else 2)
    assert named == "explain" or "/nowhere/at/all" in capsys.readouterr().err


def test_pages_that_it_leads_to_exist() -> None:
    for path in re.findall(r"`((?:checks|docs)/[\w./]+\w)`", (ROOT / "AGENTS.md").read_text()):
        assert (ROOT / path).exists(), path
