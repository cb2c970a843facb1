"""Every way in which people install it ends with the same command and the same answer."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import run

FOUND = [("gpu-marker-missing", "test/test_planted.py", 8, "test_planted")]


def _found(text: str) -> list[tuple[str, str, int, str]]:
    return [
        (item["rule"], item["path"], item["line"], item["symbol"])
        for item in json.loads(text)["findings"]
        if item["severity"] == "error"
    ]


def _interpreters() -> dict[str, str]:
    """Pythons 3.10 to 3.14 of this machine by version: on PATH or under pyenv."""
    found = {}
    homes = [Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"]
    for minor in range(10, 15):
        candidates = [
            shutil.which(f"python3.{minor}"),
            *(str(path) for home in homes for path in home.glob(f"3.{minor}.*/bin/python")),
        ]
        for candidate in filter(None, candidates):
            # A pyenv shim answers only where its version is chosen.
            asked = subprocess.run(
                [candidate, "-c", "import venv, sys; print(sys.version_info[1])"], capture_output=True, text=True
            )
            if asked.returncode == 0 and asked.stdout.strip() == str(minor):
                found[f"3.{minor}"] = candidate
                break
    return found


INTERPRETERS = {f"{sys.version_info[0]}.{sys.version_info[1]}": sys.executable, **_interpreters()}


@pytest.mark.parametrize("version", INTERPRETERS)
def test_wheel_on_each_python(version: str, built: Path, installed, planted: Path) -> None:
    commands = installed(next(built.glob("*.whl")), python=INTERPRETERS[version])
    assert _found(run(commands / "torchrl-lint", "--staged", "--format", "json", cwd=planted, status=1)) == FOUND
    assert "gpu-marker-missing" in run(commands / "torchrl-lint", "rules")
    missing = "import importlib.util as u; print([n for n in ('torch', 'pytest', 'ghapi') if u.find_spec(n)])"
    assert run(commands / "python", "-c", missing).strip() == "[]"


def test_sdist(built: Path, installed, planted: Path) -> None:
    commands = installed(next(built.glob("*.tar.gz")))
    assert _found(run(commands / "torchrl-lint", "--staged", "--format", "json", cwd=planted, status=1)) == FOUND


def test_editable(source: Path, installed, planted: Path) -> None:
    commands = installed("--editable", source)
    assert _found(run(commands / "torchrl-lint", "--staged", "--format", "json", cwd=planted, status=1)) == FOUND
    where = run(
        commands / "python", "-c", "import torchrl_preflight.hooks as hooks; print(hooks.__file__)", cwd=planted
    )
    assert Path(where.strip()) == source / "hooks" / "__init__.py"


def test_git_url(source: Path, installed, planted: Path) -> None:
    commands = installed(f"git+file://{source}")
    assert _found(run(commands / "torchrl-lint", "--staged", "--format", "json", cwd=planted, status=1)) == FOUND


def test_uvx(source: Path, planted: Path) -> None:
    command = ("uv", "tool", "run", "--python", sys.executable, "--from", f"git+file://{source}", "torchrl-lint")
    assert _found(run(sys.executable, "-m", *command, "--staged", "--format", "json", cwd=planted, status=1)) == FOUND


def test_pipx_run(source: Path, planted: Path) -> None:
    command = ("pipx", "run", "--spec", f"git+file://{source}", "torchrl-lint")
    assert _found(run(sys.executable, "-m", *command, "--staged", "--format", "json", cwd=planted, status=1)) == FOUND
