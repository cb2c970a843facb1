"""Without the smoke extra: one line, status 3, whatever was asked."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

WORDS = "torchrl-smoke: smoke checks need {}, not installed here: pip install 'torchrl-preflight[smoke]'\n"


@pytest.mark.parametrize("arguments", [[], ["list"], ["doctor"], ["--format", "json"], ["--device", "cuda"]])
def test_it_says_what_is_missing_and_how_to_get_it(
    bare: list[str], arguments: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    python, script, rooms = bare
    monkeypatch.setenv("PYTHONPATH", rooms)
    done = subprocess.run([python, script, *arguments], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == WORDS.format("torch, tensordict, torchrl, pytest, packaging")


def test_nothing_heavy_is_imported_by_the_command(bare: list[str]) -> None:
    """The command itself runs on the standard library alone: here there is nothing else, and usage is still answered."""
    python, script, _ = bare
    done = subprocess.run([python, script, "--tier", "none"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("torchrl-smoke: argument --tier: invalid choice: 'none'")
    assert done.stderr.count("\n") == 1
