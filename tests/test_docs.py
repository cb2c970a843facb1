"""What the documents say is what the code does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from torchrl_preflight.hooks.cli import main

ROOT = Path(__file__).parents[1]


def test_rules_page_is_what_the_command_prints(capsys) -> None:
    """Repair: torchrl-lint rules --format markdown > docs/rules.md."""
    assert main(["rules", "--format", "markdown"]) == 0
    assert (ROOT / "docs" / "rules.md").read_text() == capsys.readouterr().out


def test_contributing_adds_a_rule_with_one_file_and_one_folder(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n# (\S+)\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    assert [path for path, _ in blocks] == [
        "hooks/rules/no_breakpoint.py",
        "tests/hooks/rules/no_breakpoint/in_a_method/torchrl/envs/common.py",
    ]
    copy = tmp_path / "copy"
    for folder in ("hooks", "tests"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path, text in blocks:
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_text(text)
    package = tmp_path / "path" / "torchrl_preflight"
    package.mkdir(parents=True)
    (package / "hooks").symlink_to(copy / "hooks")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/hooks/rules", "-k", "breakpoint"]
    done = subprocess.run(
        command, cwd=copy, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(package.parent)}
    )
    # The tests ask for a good case, too, and the example shows only the bad one.
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    assert "tests/hooks/rules/no_breakpoint/ needs a case with a finding and one without" in done.stdout


def test_readme_names_existing_commands(capsys) -> None:
    named = set(re.findall(r"`torchrl-lint ([a-z][a-z-]*)", (ROOT / "README.md").read_text()))
    known = {path.stem.replace("_", "-") for path in (ROOT / "hooks" / "commands").glob("[!_]*.py")}
    assert named <= known
