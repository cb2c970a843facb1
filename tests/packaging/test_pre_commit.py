"""The hooks as pre-commit runs them, in a real repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from .conftest import ROOT, run

PRE_COMMIT = (sys.executable, "-m", "pre_commit")


@pytest.fixture
def configured(source: Path, planted: Path) -> Path:
    """The planted checkout with the hook installed at both stages."""
    revision = run("git", "rev-parse", "HEAD", cwd=source).strip()
    config = {"repos": [{"repo": str(source), "rev": revision, "hooks": [{"id": "torchrl-lint"}]}]}
    (planted / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    run("git", "add", ".pre-commit-config.yaml", cwd=planted)
    run(*PRE_COMMIT, "install", "--hook-type", "pre-commit", "--hook-type", "pre-push", cwd=planted)
    return planted


def test_a_commit_is_refused_until_it_is_repaired(configured: Path, tmp_path: Path) -> None:
    refused = subprocess.run(["git", "commit", "-m", "plant"], cwd=configured, capture_output=True, text=True)
    said = refused.stdout + refused.stderr
    assert refused.returncode == 1
    assert "test/test_planted.py:8: error: gpu-marker-missing: test_planted" in said
    assert "What to do: Add @pytest.mark.gpu to the test." in said
    assert "+@pytest.mark.gpu" in said

    file = configured / "test" / "test_planted.py"
    file.write_text(file.read_text().replace("@pytest.mark.skipif", "@pytest.mark.gpu\n@pytest.mark.skipif"))
    run("git", "add", "--all", cwd=configured)
    run("git", "commit", "-m", "plant", cwd=configured)

    # The same hook at the pre-push stage judges what is pushed, not the index.
    remote = tmp_path / "remote.git"
    run("git", "init", "--quiet", "--bare", remote)
    run("git", "remote", "add", "origin", remote, cwd=configured)
    run("git", "push", "origin", "main", cwd=configured)
    file.write_text(file.read_text().replace("@pytest.mark.gpu\n", ""))
    run("git", "commit", "--no-verify", "-am", "take the marker away", cwd=configured)
    pushed = subprocess.run(["git", "push", "origin", "main"], cwd=configured, capture_output=True, text=True)
    assert pushed.returncode == 1
    assert "error: gpu-marker-missing: test_planted" in pushed.stdout + pushed.stderr


def test_all_files_in_a_shallow_clone_without_tags(configured: Path, source: Path, tmp_path: Path) -> None:
    run("git", "commit", "--quiet", "--no-verify", "-m", "an old fault", cwd=configured)
    clone = tmp_path / "clone"
    run("git", "clone", "--quiet", "--depth=1", "--no-tags", f"file://{configured}", clone)
    said = run(*PRE_COMMIT, "run", "--all-files", "--verbose", cwd=clone)
    assert "nothing to judge: no file differs from the base" in said


@pytest.mark.parametrize("hook", ["torchrl-lint", "torchrl-gpu-marker"])
def test_try_repo(hook: str, source: Path, planted: Path) -> None:
    said = run(*PRE_COMMIT, "try-repo", source, hook, cwd=planted, status=1)
    assert "gpu-marker-missing: test_planted" in said


def test_hooks_are_one_process_each_and_name_existing_rules() -> None:
    from torchrl_preflight.hooks.rules._find import names

    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert [hook["id"] for hook in hooks] == ["torchrl-lint", "torchrl-gpu-marker"]
    for hook in hooks:
        assert (hook["pass_filenames"], hook["always_run"], hook["require_serial"]) == (False, True, True)
        assert hook["entry"].split()[:2] == ["torchrl-lint", "--staged"]
    assert set(hooks[1]["entry"].split()[-1].split(",")) <= set(names())
