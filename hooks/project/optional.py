"""What an import needs: the standard library, a required package, an optional one, or the target itself."""

from __future__ import annotations

import re
import sys
from functools import lru_cache

from ..facts.records import Import
from ..tables import rows
from . import Project
from .needs import mentions
from .pyproject import pyproject

STANDARD, REQUIRED, INTERNAL, OPTIONAL = "standard library", "required", "internal", "optional"

# Gone from newer Pythons, so a newer Python does not list them.
_REMOVED = frozenset(
    (
        "_bootlocale",
        "aifc",
        "asynchat",
        "asyncore",
        "audioop",
        "binhex",
        "cgi",
        "cgitb",
        "chunk",
        "crypt",
        "distutils",
        "formatter",
        "imghdr",
        "imp",
        "lib2to3",
        "macpath",
        "mailcap",
        "msilib",
        "nis",
        "nntplib",
        "ossaudiodev",
        "parser",
        "pipes",
        "smtpd",
        "sndhdr",
        "spwd",
        "sunau",
        "symbol",
        "telnetlib",
        "uu",
        "xdrlib",
    )
)
SETUP = "setup.py"
_DEFAULT_FLOOR = (3, 10)


def dotted(item: Import) -> str:
    """What an import asks for: ``a.b`` or, with a name, ``a.b.name``; relative ones keep their dots."""
    return "." * item.level + (f"{item.module}.{item.name}".strip(".") if item.name else item.module)


def need(project: Project, name: str) -> str:
    """Kind of what a dotted name needs: STANDARD, REQUIRED, INTERNAL or OPTIONAL.

    A module of the standard library that is newer than the oldest Python supported is optional, too.
    """
    key = ("need", name)
    if key not in project.memo:
        project.memo[key] = _need(project, name)
    return project.memo[key]


def distribution(name: str) -> str:
    """The distribution that brings a dotted name, its name normalised."""
    known = _brought_by()
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        found = known.get(".".join(parts[:cut]))
        if found:
            return found
    return normal(parts[0])


def imported(name: str) -> str:
    """What to import where a name is a distribution's that is imported by another name; "" where it is not."""
    return next(
        (row[0] for row in rows("distributions") if len(row) == 2 and row[1] == normal(name) and row[0] != name), ""
    )


def normal(name: str) -> str:
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def extras(project: Project, name: str) -> list[str]:
    """The extras of the target that bring a dotted name."""
    wanted = distribution(name)
    return [extra for extra, names in _declared(project)[1].items() if wanted in names]


def in_suite(project: Project, name: str, suite: str) -> bool:
    """Whether the environment of a suite (a key of the profile's ``suites``) names what brings a dotted name.

    What runs the tests is there in any case.
    """
    folder = project.profile["suites"][suite]["folder"]
    folders = {path.rpartition("/")[0] for path in project.tree.paths(folder)}
    top = name.partition(".")[0]
    return distribution(name) == "pytest" or any(mentions(project, each, top) for each in folders)


def newer_python(project: Project, name: str) -> str:
    """The Python that first has a name of the standard library, where the oldest one supported lacks it; else ""."""
    since = _since()
    parts = name.split(".")
    for cut in range(1, len(parts) + 1):
        found = since.get(".".join(parts[:cut]))
        if found and found > _floor(project):
            return f"{found[0]}.{found[1]}"
    return ""


def _need(project: Project, name: str) -> str:
    top = name.lstrip(".").partition(".")[0]
    if name.startswith(".") or top == project.profile["package"]:
        return INTERNAL
    if top in sys.stdlib_module_names or top in _REMOVED or top in _since():
        return OPTIONAL if newer_python(project, name) else STANDARD
    brought = distribution(name)
    # Most files import torch alone, and need not have pyproject.toml read for it.
    return REQUIRED if brought == "torch" or brought in _declared(project)[0] else OPTIONAL


def _floor(project: Project) -> tuple[int, int]:
    """The oldest Python that the target supports."""
    if "python floor" not in project.memo:
        table = pyproject(project).get("project", {})
        says = table.get("requires-python", "") if isinstance(table, dict) else ""
        found = re.search(r">=\s*(\d{1,9})\.(\d{1,9})(?!\d)", says if isinstance(says, str) else "")
        found = found or re.search(
            r"python_requires\s*=\s*[\"']\s*>=\s*(\d{1,9})\.(\d{1,9})(?!\d)", project.text(SETUP) or ""
        )
        project.memo["python floor"] = (int(found[1]), int(found[2])) if found else _DEFAULT_FLOOR
    return project.memo["python floor"]


def _declared(project: Project) -> tuple[frozenset[str], dict[str, frozenset[str]]]:
    """Distributions that the target requires, and those of each extra."""
    if "declared" not in project.memo:
        project.memo["declared"] = _read(project)
    return project.memo["declared"]


def _read(project: Project) -> tuple[frozenset[str], dict[str, frozenset[str]]]:
    table = pyproject(project).get("project", {})
    table = table if isinstance(table, dict) else {}
    required = _names(table.get("dependencies", ())) or _setup_requires(project.text(SETUP) or "")
    optional = table.get("optional-dependencies", {})
    found = {extra: _names(items) for extra, items in optional.items()} if isinstance(optional, dict) else {}
    # Every target of this kit is built on torch, whatever its metadata computes.
    return required | {"torch"}, found


def _names(requirements: object) -> frozenset[str]:
    texts = [item for item in requirements if isinstance(item, str)] if isinstance(requirements, (list, tuple)) else []
    return frozenset(normal(found[0]) for text in texts if (found := re.match(r"[A-Za-z0-9][\w.-]*", text.strip())))


def _setup_requires(text: str) -> frozenset[str]:
    """Literal requirements of ``install_requires``, names of variables in it looked up by what is assigned to them."""
    found = re.search(r"install_requires\s*=\s*\[(.*?)\]", text, re.DOTALL)
    if not found:
        return frozenset()
    listed = re.findall(r"[\"']([^\"']+)[\"']", found[1])
    for variable in re.findall(r"\b[a-z_]+\b", re.sub(r"[\"'][^\"']*[\"']", "", found[1])):
        listed += re.findall(rf"\b{variable}\s*=\s*f?[\"']([^\"']+)[\"']", text)
    return _names(listed)


@lru_cache(maxsize=1)
def _brought_by() -> dict[str, str]:
    return {row[0]: normal(row[1]) for row in rows("distributions")}


@lru_cache(maxsize=1)
def _since() -> dict[str, tuple[int, int]]:
    found = {}
    for version, *names in rows("standard_library"):
        major, _, minor = version.partition(".")
        found.update(dict.fromkeys(names, (int(major), int(minor))))
    return found
