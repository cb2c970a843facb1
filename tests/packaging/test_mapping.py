"""The three rooms and their data, as installed, are the three rooms and their data in the tree."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

from .conftest import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOMS = ("hooks", "checks", "actions")


def test_packages_are_the_folders_with_code() -> None:
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = {path.parent.relative_to(ROOT).as_posix() for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    assert sorted(setuptools["packages"]) == sorted(
        f"torchrl_preflight.{folder.replace('/', '.')}" for folder in folders
    )
    assert setuptools["package-dir"] == {f"torchrl_preflight.{room}": room for room in ROOMS}


def test_the_wheel_holds_every_file_of_the_rooms(source: Path, built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = [name for name in wheel.namelist() if ".dist-info/" not in name]
    kept = {".py", ".toml", ".txt"}
    expected = {
        f"torchrl_preflight/{path.relative_to(source).as_posix()}"
        for room in ROOMS
        for path in (source / room).rglob("*")
        if path.suffix in kept
    }
    assert set(names) == expected


def test_nothing_lands_at_the_top_of_site_packages(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"torchrl_preflight"}
