"""What the composite action ``setup`` installs, and in which order."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from torchrl_preflight.actions.steps.install import ROOT, Refusal, planned

WHEELS = "https://download.pytorch.org/whl"
PROJECT = """\
[build-system]
requires = ["setuptools", "torch", "ninja"]
[project]
name = "torchrl"
dependencies = ["numpy", "torch>=2.1.0", "tensordict"]
"""


@pytest.fixture
def checkout(tmp_path: Path) -> str:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    return str(tmp_path)


def calls(**environment: str) -> list[list[str]]:
    return list(planned({f"PREFLIGHT_{key.upper()}": value for key, value in environment.items()}))


def test_the_toolkit_alone_comes_from_where_it_was_checked_out() -> None:
    assert calls() == [[str(ROOT)]]
    assert calls(extras="smoke, github") == [[f"{ROOT}[smoke,github]"]]


@pytest.mark.parametrize(
    ("choice", "device", "index", "expected"),
    [
        ("stable", "cpu", "", ["torch", "--index-url", f"{WHEELS}/cpu"]),
        ("stable", "cuda", "", ["torch"]),
        ("nightly", "cpu", "", ["--pre", "torch", "--index-url", f"{WHEELS}/nightly/cpu"]),
        ("nightly", "cuda", "", ["--pre", "torch", "--index-url", f"{WHEELS}/nightly/cu130"]),
        ("oldest", "cpu", "", ["torch==2.1.*", "--index-url", f"{WHEELS}/cpu"]),
        ("oldest", "cuda", "", ["torch==2.1.*"]),
        ("2.9.1", "cpu", "", ["torch==2.9.1", "--index-url", f"{WHEELS}/cpu"]),
        ("2.9.1+cu128", "cuda", "https://x/y", ["torch==2.9.1+cu128", "--index-url", "https://x/y"]),
    ],
)
def test_torch(checkout: str, choice: str, device: str, index: str, expected: list[str]) -> None:
    first = calls(torch=choice, device=device, torch_index=index, torchrl=checkout)[0]
    assert first == expected


def test_a_checkout_is_built_against_the_torch_that_is_there(checkout: str) -> None:
    """pip's own build environment would bring another torch; a nightly one needs tensordict built for it, too."""
    toolkit = f"{ROOT}[smoke]"
    torch = ["torch", "--index-url", f"{WHEELS}/cpu"]
    build = [["setuptools", "ninja"], ["--no-build-isolation", checkout], [toolkit]]
    assert calls(torch="stable", torchrl=checkout, extras="smoke") == [torch, *build]
    build.insert(1, ["--no-build-isolation", "--no-deps", "git+https://github.com/pytorch/tensordict.git"])
    assert calls(torch="nightly", torchrl=checkout, extras="smoke")[1:] == build


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"extras": "smoke,all"}, "extras: 'all' is unknown; allowed: smoke, github"),
        ({"torch": "latest"}, "torch is 'latest'; allowed: stable, nightly, oldest, or an exact version"),
        ({"torch": "--index-url=http://x"}, "torch is '--index-url=http://x'; allowed: stable"),
        ({"torch": "2.9.1 evil"}, "torch is '2.9.1 evil'; allowed: stable"),
        ({"torch": "stable", "device": "tpu"}, "device is 'tpu'; allowed: cpu, cuda"),
        ({"torch": "stable", "torch_index": "file:///x"}, "torch-index is 'file:///x'; it must be an https address"),
        ({"torch": "oldest"}, "torch is 'oldest', and the checkout's pyproject.toml has no dependency torch>=X.Y"),
        ({"torchrl": "/nowhere"}, "torchrl: /nowhere is no checkout that can be built (FileNotFoundError)"),
    ],
)
def test_wrong_inputs(environment: dict[str, str], said: str) -> None:
    with pytest.raises(Refusal, match="^" + said.replace("(", r"\(").replace(")", r"\)")):
        calls(**environment)


def test_it_installs_for_real(tmp_path: Path) -> None:
    """As the action runs it, in a fresh environment and a folder that holds another pip: the commands are there after it."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    (tmp_path / "change" / "pip").mkdir(parents=True)
    (tmp_path / "change" / "pip" / "__main__.py").write_text("raise SystemExit('not this one')")
    output = tmp_path / "output"
    output.touch()
    commands = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    toolkit = tmp_path / "toolkit"  # a copy: setuptools builds where the sources are
    for name in ("actions", "checks", "hooks"):
        shutil.copytree(ROOT / name, toolkit / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, toolkit)
    command = [commands / "python", "-I", toolkit / "actions" / "steps" / "install.py"]
    environment = {**os.environ, "GITHUB_OUTPUT": str(output), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run(command, cwd=tmp_path / "change", env=environment, check=True)
    assert f"{tmp_path / 'cache' / 'torchrl-preflight'}\n" in output.read_text()
    said = subprocess.run([commands / "torchrl-lint", "--version"], capture_output=True, text=True, check=True).stdout
    assert said == "torchrl-lint 0.1.0\n"
