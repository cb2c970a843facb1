"""Built once: this repository as it stands, as a git repository, a wheel and an sdist."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command: str | os.PathLike[str], cwd: Path | None = None, status: int = 0) -> str:
    """Standard output of a command that must end with a status."""
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PRE_COMMIT", "VIRTUAL_ENV"))
    }
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, env={**environment, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    )
    assert done.returncode == status, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one commit: the files here that git tracks or would track."""
    folder = tmp_path_factory.mktemp("source") / "torchrl-preflight"
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).split("\0")
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    run("git", "init", "--quiet", "--initial-branch=main", folder)
    run("git", "add", "--all", cwd=folder)
    run("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "all", cwd=folder)
    return folder


@pytest.fixture(scope="session")
def built(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--outdir", folder, source)
    return folder


@pytest.fixture
def installed(tmp_path: Path) -> Callable[..., Path]:
    """``installed(*requirements, python=...)``: a fresh environment, and the folder of its commands."""

    def install(*requirements: str | os.PathLike[str], python: str = sys.executable) -> Path:
        environment = tmp_path / "environment"
        run(python, "-m", "venv", environment)
        commands = environment / ("Scripts" if os.name == "nt" else "bin")
        run(commands / "python", "-m", "pip", "install", "--quiet", *requirements)
        return commands

    return install


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A small checkout that looks like pytorch/rl, on a branch that adds a CUDA test without the marker."""
    base = ROOT / "tests" / "hooks" / "rules" / "_base"
    folder = tmp_path / "rl"
    for path in base.rglob("*"):
        if path.is_file():
            (folder / path.relative_to(base)).parent.mkdir(parents=True, exist_ok=True)
            (folder / path.relative_to(base)).write_bytes(path.read_bytes())
    run("git", "init", "--quiet", "--initial-branch=main", folder)
    for key, value in (("user.name", "a"), ("user.email", "a@example.org")):
        run("git", "config", key, value, cwd=folder)
    run("git", "add", "--all", cwd=folder)
    run("git", "commit", "--quiet", "-m", "base", cwd=folder)
    (folder / "test" / "test_planted.py").write_text(
        "from __future__ import annotations\n\nimport pytest\nimport torch\n\n\n"
        '@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")\n'
        'def test_planted():\n    assert torch.zeros(1, device="cuda").sum() == 0\n\n\n'
        'if __name__ == "__main__":\n    pytest.main([__file__])\n'
    )
    run("git", "add", "--all", cwd=folder)
    return folder
