"""The pipeline as a person runs it: real repositories, the real torchrl."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BASE = Path(__file__).parents[1] / "hooks" / "rules" / "_base"
BAD = (
    "from __future__ import annotations\n\nimport pytest\nimport torch\n\n\n"
    '@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")\n'
    "def test_planted():\n    assert True\n\n\n"
    'if __name__ == "__main__":\n    pytest.main([__file__])\n'
)


def preflight(where: Path, *arguments: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; from torchrl_preflight.actions.cli import main; sys.exit(main())"
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "GITHUB_", "PRE_COMMIT"))}
    return subprocess.run(
        [sys.executable, "-P" if sys.version_info >= (3, 11) else "-B", "-c", code, *arguments],
        cwd=where,
        capture_output=True,
        text=True,
        env={**kept, "XDG_CACHE_HOME": str(home), **environment},
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small checkout on a branch, with its remote's main one commit behind; torchrl itself is the installed one."""
    folder = tmp_path / "rl"
    for path in BASE.rglob("*"):
        if path.is_file():
            (folder / path.relative_to(BASE)).parent.mkdir(parents=True, exist_ok=True)
            (folder / path.relative_to(BASE)).write_bytes(path.read_bytes())
    for command in (
        "init --quiet --initial-branch=main",
        "config user.name a",
        "config user.email a@example.org",
        "add --all",
        "commit --quiet -m base",
        "update-ref refs/remotes/origin/main HEAD",
        "remote add origin nowhere",
        "switch --quiet -c topic",
    ):
        subprocess.run(["git", *command.split()], cwd=folder, check=True)
    return folder


def test_elsewhere_the_installed_torchrl_is_judged(tmp_path: Path) -> None:
    done = preflight(tmp_path, home=tmp_path / "home")
    assert (done.returncode, done.stderr) == (0, "")
    lint, smoke = done.stdout.rstrip().splitlines()[-2:]
    assert lint.startswith("lint   unverified  ")
    assert smoke.startswith("smoke  passed      ")
    assert "Judged: the installed torchrl in " in done.stdout
    assert "nothing to judge for gpu-marker-missing, gpu-marker-overbroad" in done.stdout
    assert "this tree has no test" in done.stdout


def test_a_branch_with_a_new_error_fails(checkout: Path, tmp_path: Path) -> None:
    (checkout / "test" / "test_planted.py").write_text(BAD)
    # No torchrl beside a tree that is only a sketch of one: lint decides alone.
    done = preflight(checkout, home=tmp_path / "home", PYTHONSAFEPATH="1")
    assert done.returncode == 1
    assert "test/test_planted.py:8: error: gpu-marker-missing: test_planted" in done.stdout
    assert "compared with" in done.stdout
    assert "(merge base with origin/main)" in done.stdout
    assert any(line.startswith("lint   failed      1 new error") for line in done.stdout.splitlines())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--base", "nosuch"), "torchrl-preflight: --base nosuch: nosuch is not in this clone; fetch it\n"),
        (("--bse", "x"), "torchrl-preflight: unrecognized arguments: --bse x (see torchrl-preflight --help)\n"),
    ],
)
def test_wrong_usage_is_one_line(arguments: tuple[str, ...], said: str, checkout: Path, tmp_path: Path) -> None:
    done = preflight(checkout, *arguments, home=tmp_path / "home")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
