"""The public API as it is read, against what a real import of the installed torchrl gives."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from torchrl_preflight.hooks.project import Project
from torchrl_preflight.hooks.project.dotted import resolve
from torchrl_preflight.hooks.project.public import declared, public
from torchrl_preflight.hooks.run import Options, open_project

# Imports every package; for each name that it exports: which object it is, its kind, the file of its code, and the
# attributes of a class.
_IMPORT = """
import importlib, inspect, json, pkgutil, sys, types, warnings
import torchrl

warnings.simplefilter("ignore")
names, failed = {}, {}
if __name__ == "__main__":
    packages = ["torchrl", *(info.name for info in pkgutil.walk_packages(torchrl.__path__, "torchrl.", lambda name: None) if info.ispkg)]
    kept = []
    for package in packages:
        if "._" in package:
            continue
        try:
            module = importlib.import_module(package)
        except ImportError as error:
            failed[package] = str(error)
            continue
        for name in getattr(module, "__all__", None) or ():
            try:
                value = getattr(module, name)
            except (AttributeError, ImportError) as error:
                failed[f"{package}.{name}"] = type(error).__name__
                continue
            kept.append(value)
            kind = "module" if isinstance(value, types.ModuleType) else "class" if isinstance(value, type) else "function" if isinstance(value, types.FunctionType) else "other"
            code = inspect.unwrap(value).__code__ if kind == "function" else None
            if kind == "module" and value.__name__.startswith("torchrl"):
                kind = "submodule"
            names[f"{package}.{name}"] = [id(value), kind, code.co_filename if code else "", dir(value) if kind == "class" else []]
    with open(sys.argv[1], "w") as stream:
        json.dump({"names": names, "failed": failed}, stream)
"""


@pytest.fixture(scope="module")
def installed() -> Project:
    """The installed torchrl as a plain folder without git."""
    folder = Path(importlib.util.find_spec("torchrl").origin).parents[1]
    project, _, _ = open_project(Options(repo=str(folder), package="torchrl", cache=False))
    return project


@pytest.fixture(scope="module")
def imported(tmp_path_factory) -> dict:
    """What a process of its own finds when it imports all of torchrl."""
    folder = tmp_path_factory.mktemp("imported")
    (folder / "all.py").write_text(_IMPORT)
    subprocess.run([sys.executable, "all.py", "found.json"], cwd=folder, check=True, capture_output=True)
    return json.loads((folder / "found.json").read_text())


def kinds(imported: dict, *wanted: str) -> dict[str, list]:
    """Public names of some kinds, with what the import says of them."""
    return {
        path: told
        for path, told in imported["names"].items()
        if told[1] in wanted and not path.rpartition(".")[2].startswith("_")
    }


def test_every_path_of_both_and_none_more(installed, imported) -> None:
    assert set(public(installed)) == set(kinds(imported, "class", "function", "module", "other"))


def test_two_paths_are_the_same_thing_where_they_give_the_same_object(installed, imported) -> None:
    objects: dict[int, set[str]] = {}
    things: dict[tuple[str, str], set[str]] = {}
    for path, told in kinds(imported, "class", "function").items():
        objects.setdefault(told[0], set()).add(path)
        meant = public(installed)[path]
        # Where an extension is missing, its names are all None; those are no classes.
        things.setdefault((meant.path, meant.name), set()).add(path)
    assert sorted(map(sorted, objects.values())) == sorted(map(sorted, things.values()))


def test_functions_are_where_their_code_is(installed, imported) -> None:
    elsewhere = {
        path
        for path, told in kinds(imported, "function").items()
        if (meant := public(installed)[path]).path and not told[2].endswith(meant.path)
    }
    # Wraps torch.compile, and inspect follows it there.
    assert elsewhere == {"torchrl.compile_with_warmup"}


def test_what_cannot_be_imported_is_what_the_lists_of_exports_have_too_much(installed, imported) -> None:
    undefined = set()
    for path in installed.tree.paths("torchrl", "/__init__.py"):
        package = path.removesuffix("/__init__.py").replace("/", ".")
        names = declared(installed, path) or () if "._" not in package else ()
        undefined |= {f"{package}.{name}" for name in names if resolve(installed, f"{package}.{name}") is None}
    assert undefined == {path for path, why in imported["failed"].items() if why == "AttributeError"}
    assert undefined == {"torchrl.modules.distributions.distributions"}


def test_no_attribute_that_a_class_has_is_called_dead(installed, imported) -> None:
    dead = [
        f"{path}.{name}"
        for path, told in kinds(imported, "class").items()
        for name in told[3]
        if resolve(installed, f"{path}.{name}") is None
    ]
    assert dead == []
