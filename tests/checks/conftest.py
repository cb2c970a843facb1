"""``torchrl-smoke`` run here, on the real torchrl or on packages written for one test."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from torchrl_preflight import checks, hooks
from torchrl_preflight.checks.cli import main


class Outcome(NamedTuple):
    """What one run of ``torchrl-smoke`` gave."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The report of a run with ``--format json``."""
        return json.loads(self.out)

    @property
    def checks(self) -> dict[str, dict[str, Any]]:
        """Its checks by id."""
        return {check["id"]: check for check in self.json["checks"]}


class Site:
    """A folder that comes first on the path of every process started from here, and the packages written to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def package(
        self, name: str, version: str | None = None, requires: Sequence[str] = (), files: dict[str, str] | None = None
    ) -> Path:
        """Write a package, with the metadata of a distribution if it has a version; gives its folder."""
        for path, content in {"__init__.py": "", **(files or {})}.items():
            file = self.folder / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        if version:
            info = self.folder / f"{name}-{version}.dist-info"
            info.mkdir()
            needs = "".join(f"Requires-Dist: {need}\n" for need in requires)
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}")
        return self.folder / name

    def trio(self, **torchrl: str) -> None:
        """A torch, a tensordict and a torchrl that import at once, and fit; ``torchrl`` overrides files of torchrl."""
        parts = ("data", "envs", "modules", "collectors", "objectives")
        files = {f"{part}.py": "" for part in parts} | {f"{part}.py": code for part, code in torchrl.items()}
        self.package("torch", "2.9.0", files={"__init__.py": STUB})
        self.package("tensordict", "0.12.1", ["torch>=2.1"])
        self.package("torchrl", "0.12.0", ["torch>=2.1", "tensordict<0.13,>=0.12"], files)


STUB = """
import types
__version__ = "2.9.0"
version = types.SimpleNamespace(cuda=None)
device = set_num_threads = lambda *_: None
default_generator = types.SimpleNamespace(manual_seed=lambda number: None)
cuda = types.SimpleNamespace(is_available=lambda: False, is_initialized=lambda: False, device_count=lambda: 0)
"""


@pytest.fixture
def smoke(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """``smoke("--steps", "2")`` runs ``torchrl-smoke`` with these arguments."""

    def run(*arguments: str) -> Outcome:
        status = main(arguments)
        return Outcome(status, *capsys.readouterr())

    return run


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Packages of this test's own, before all installed ones."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return Site(folder)


@pytest.fixture
def copied(site: Site) -> Path:
    """A copy of the installed torchrl and its metadata, to be changed; gives the copy's folder."""
    installed = Path(_origin("torchrl")).parent
    shutil.copytree(installed, site.folder / "torchrl", ignore=shutil.ignore_patterns("__pycache__"))
    for info in installed.parent.glob("torchrl-*.dist-info"):
        shutil.copytree(info, site.folder / info.name)
    return site.folder / "torchrl"


def _origin(name: str) -> str:
    from importlib.util import find_spec

    spec = find_spec(name)
    assert spec is not None, f"{name} is not installed: pip install -e '.[dev]'"
    assert spec.origin
    return spec.origin


@pytest.fixture
def bare(tmp_path: Path) -> list[str]:
    """The command ``torchrl-smoke`` in an interpreter that has nothing but the standard library and this project."""
    import venv

    venv.create(tmp_path / "bare", with_pip=False)
    rooms = tmp_path / "rooms" / "torchrl_preflight"
    rooms.mkdir(parents=True)
    for room in (checks, hooks):
        source = Path(room.__file__).parent
        shutil.copytree(source, rooms / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    python = tmp_path / "bare" / ("Scripts" if os.name == "nt" else "bin") / Path(sys.executable).name
    code = f"import sys; sys.path.insert(0, {str(rooms.parent)!r})\nfrom torchrl_preflight.checks.cli import main\n"
    (tmp_path / "smoke.py").write_text(f"{code}sys.exit(main())\n")
    return [str(python), str(tmp_path / "smoke.py"), str(rooms.parent)]
