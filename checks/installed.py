"""What is installed here: versions, the copy of a package that is imported, requirements, the C++ extension.

Everything but `imported`, `extension` and `devices` is found without importing the packages, so that it can be told of an
environment whose packages do not import.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import json
import multiprocessing
import platform
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlparse

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from . import toml
from .backends import backend
from .troubles import hint

PACKAGES = ("torch", "tensordict", "torchrl")  # each stands on those before it
SURFACES = ("torchrl.data", "torchrl.envs", "torchrl.modules", "torchrl.collectors", "torchrl.objectives")


class Package(NamedTuple):
    """One package as it would be imported here.

    ``folder`` is None when there is none. ``distribution`` is the installed distribution that describes this very copy:
    None for a source tree that merely stands on the path.
    """

    name: str
    folder: Path | None
    distribution: importlib.metadata.Distribution | None

    @property
    def source_tree(self) -> bool:
        """Whether the copy stands in a source tree (a checkout) rather than in a folder of installed packages."""
        return self.folder is not None and any((self.folder.parent / name).is_file() for name in _PROJECT_FILES)

    @property
    def version(self) -> str | None:
        """The version of this copy, from its distribution or, in a source tree without one, ``version.txt``."""
        if self.distribution is not None:
            return self.distribution.version
        file = self.folder.parent / "version.txt" if self.folder else None
        return file.read_text(encoding="utf-8").strip() if file and file.is_file() else None

    @property
    def requires(self) -> list[str] | None:
        """What this copy declares to need, or None when nothing here says it."""
        if self.distribution is not None:
            return self.distribution.requires or []
        file = self.folder.parent / "pyproject.toml" if self.folder else None
        if not file or not file.is_file():
            return None
        try:
            return toml.read(file).get("project", {}).get("dependencies")
        except ValueError:
            return None


_PROJECT_FILES = ("pyproject.toml", "setup.py")


class Trouble(NamedTuple):
    """Something that is not as it should be, and what to do about it."""

    reason: str
    hint: str


@cache
def package(name: str) -> Package:
    """The copy of ``name`` that ``import name`` takes, here and now."""
    spec = importlib.util.find_spec(name)
    folder = Path(spec.origin).parent if spec and spec.origin else None
    described = (one for one in _distributions(name) if folder and _same(_root(one) / name, folder))
    return Package(name, folder, next(described, None))


def copies(name: str) -> list[Path]:
    """Every copy of ``name`` that a path entry or an installed distribution leads to, the imported one first."""
    imported = package(name).folder
    entries = [Path(entry or ".") / name for entry in sys.path]
    places = [imported, *entries, *(_root(one) / name for one in _distributions(name))]
    found: list[Path] = []
    for place in places:
        if place and (place / "__init__.py").is_file() and not any(_same(place, one) for one in found):
            found.append(place)
    return found


def version(name: str) -> str | None:
    """The installed version of a distribution, or None; of the imported copy for torch, tensordict and torchrl."""
    if canonicalize_name(name) in PACKAGES:
        return package(canonicalize_name(name)).version
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def unmet_requirements(name: str) -> list[Trouble]:
    """What the imported copy of ``name`` declares to need and does not find here."""
    it = package(name)
    return list(_unmet(name, it.version, it.requires or []))


def unmet_of(name: str) -> list[Trouble]:
    """The same for any installed distribution."""
    it = importlib.metadata.distribution(name)
    return list(_unmet(it.metadata["Name"], it.version, it.requires or []))


def neighbours(more: Iterable[str]) -> list[str]:
    """The installed distributions on which torch, tensordict and torchrl stand, at any distance, and those of ``more``."""
    waiting = [need.name for each in PACKAGES for need in _wanted(package(each).requires or [])] + list(more)
    found: dict[str, None] = {}
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name not in found and name not in PACKAGES and version(name) is not None:
            found[name] = None
            waiting += [need.name for need in _wanted(importlib.metadata.requires(name) or [])]
    return sorted(found)


def _unmet(name: str, own: str | None, declared: list[str]) -> Iterator[Trouble]:
    for need in _wanted(declared):
        have = version(need.name)
        if have is None or not need.specifier.contains(have, prereleases=True):
            here = f"{have} is installed" if have else "is not installed"
            yield Trouble(
                f"{name} {own} declares {_plain(need)}, and {need.name} {here}",
                f"pip install {shlex.quote(_plain(need))}",
            )


def _wanted(declared: list[str]) -> Iterator[Requirement]:
    """The requirements that hold here, those of extras left out."""
    return (need for need in _parsed(declared) if need.marker is None or need.marker.evaluate({"extra": ""}))


class Broken(NamedTuple):
    """Why torchrl does not import: ``blocked`` by what is installed beside it, or ``failed`` of itself."""

    status: str
    reason: str
    hint: str


@cache
def imported() -> Broken | None:
    """Import torch, tensordict, torchrl and the parts of it that need nothing optional; None when that works."""
    for name in (*PACKAGES, *SURFACES):
        try:
            importlib.import_module(name)
        except BaseException as error:  # SystemExit too: it would end a user's program as well
            words = f"{name} cannot be imported: {type(error).__name__}: {error}"
            trouble = [one for each in PACKAGES for one in unmet_requirements(each)]
            reason = "; ".join([words, *(one.reason for one in trouble)])
            words = "; ".join(one.hint for one in trouble) or hint(error)
            # a folder that cannot be written, memory or files that ran out: no fault of torchrl either
            return Broken("blocked" if trouble or isinstance(error, OSError) else "failed", reason, words)
    return None


def install(name: str) -> str:
    """The narrow ``pip install`` of one package: an extra of torchrl that brings little else, or the package itself.

    In the range that torchrl declares for it in some extra, where there is only one.
    """
    row, it = backend(name), package("torchrl")
    provided = (it.distribution.metadata.get_all("Provides-Extra") or []) if it.distribution else []
    if row and row.extra and canonicalize_name(row.extra) in map(canonicalize_name, provided):
        return row.command
    wanted = row.distribution if row else name
    declared = [
        need for need in _parsed(it.requires or []) if canonicalize_name(need.name) == canonicalize_name(wanted)
    ]
    ranged = _plain(declared[0]) if len(set(map(_plain, declared))) == 1 else wanted
    return f"pip install {shlex.quote(ranged)}"


@cache
def extension() -> Trouble | None:
    """None when torchrl's C++ extension loads, or why not. Imports torchrl."""
    it = package("torchrl")
    try:
        importlib.import_module("torchrl._torchrl")
    except ModuleNotFoundError as error:
        if error.name != "torchrl._torchrl":
            raise
        others = sorted(file.name for file in (it.folder or Path()).glob("_torchrl*.*"))
        built = f", only {others[0]}, built for another Python" if others else ""
        kind = "source tree, not built" if it.source_tree else "installed copy"
        return Trouble(f"{it.folder} ({kind}) has no C++ extension{built}", _build(it))
    except ImportError as error:
        symbol = re.search(r"undefined symbol: (\S{1,60})|[Ss]ymbol not found[^']*'?(\S{1,60})", str(error))
        if not symbol:
            return Trouble(f"the C++ extension does not load: {str(error)[:300]}", _build(it))
        return Trouble(
            f"torchrl {it.version}'s C++ extension was built for another torch than the installed {version('torch')}, "
            f"and does not load with it (undefined symbol {symbol[1] or symbol[2]}...); "
            "prioritized replay buffers do not work",
            f"take both as they are released together: pip install -U torch tensordict torchrl, or {_build(it)}",
        )
    return None


def _build(it: Package) -> str:
    """How to build the extension for the torch that is installed."""
    what = f"-e {shlex.quote(str(it.folder.parent))}" if it.folder and it.source_tree else None
    what = what or f"--force-reinstall git+https://github.com/pytorch/rl@v{it.version}"
    return f"build it for this torch: pip install --no-deps --no-build-isolation {what}"


def described() -> dict[str, Any]:
    """The environment as plain values, without importing what may not import."""
    facts: dict[str, Any] = {"python": platform.python_version(), "platform": platform.platform()}
    for name in PACKAGES:
        facts[name] = version(name)
        facts[f"{name}_file"] = str(package(name).folder / "__init__.py") if package(name).folder else None
    facts["start_method"] = (
        multiprocessing.get_start_method(allow_none=True) or multiprocessing.get_all_start_methods()[0]
    )
    return facts


def devices() -> dict[str, Any]:
    """The extension, CUDA and the GPUs, as plain values. Imports torch and torchrl."""
    import torch

    trouble = extension()
    return {
        "extension": trouble.reason if trouble else "loads",
        "cuda": torch.version.cuda,
        "gpus": [torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count())],
    }


def _distributions(name: str) -> Iterator[importlib.metadata.Distribution]:
    for candidate in (name, f"{name}-nightly"):
        yield from importlib.metadata.distributions(name=candidate)


def _root(distribution: importlib.metadata.Distribution) -> Path:
    """The folder from which a distribution's packages are imported: the source tree of an editable install."""
    origin = json.loads(distribution.read_text("direct_url.json") or "{}")
    if origin.get("dir_info", {}).get("editable"):
        return Path(unquote(urlparse(origin["url"]).path))
    return Path(str(distribution.locate_file("")))


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _parsed(texts: list[str]) -> Iterator[Requirement]:
    for text in texts:
        try:
            yield Requirement(text)
        except InvalidRequirement:  # an old distribution's spelling: nothing that can be compared
            continue


def _plain(need: Requirement) -> str:
    """A requirement without its marker."""
    extras = f"[{','.join(sorted(need.extras))}]" if need.extras else ""
    return f"{need.name}{extras}{need.specifier}"
