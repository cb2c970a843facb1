"""What a vanished name or parameter became, as far as it can be seen, who still uses it, and how long it was there."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from ..facts.records import Class, Function
from . import Project
from .api import Break, exporter
from .mro import Place, methods, mro
from .names import module_path
from .public import bound, find, paths_of, place, public
from .releases import Release, at_release
from .signatures import function_signature, signature

_ALIKE = 0.6
_LOOK_BACK = 6
_TEXTS = (".py", ".rst", ".md", ".ipynb")


def successor(old: Project, new: Project, broken: Break) -> str:
    """Public path of a name's successor, or the name of a parameter's; "" where none can be seen."""
    if broken.kind == "name":
        return _of_name(old, new, broken)
    if broken.kind == "parameter":
        return _of_parameter(old, new, broken)
    return ""


def users(project: Project, broken: Break) -> list[str]:
    """Files of the tree that still use it, the defining ones left out."""
    home = {broken.where[0], broken.old.path}
    return [
        path
        for path in project.tree.paths()
        if path.endswith(_TEXTS) and path not in home and _uses(project, path, broken)
    ]


def _uses(project: Project, path: str, broken: Break) -> bool:
    leaf, owner = broken.symbol.rpartition(".")[2], broken.public.rpartition(".")[2]
    data = project.tree.read(path) or b""
    if leaf.encode() not in data or owner.encode() not in data:
        return False
    if broken.kind == "name":
        package = broken.public.rpartition(".")[0]
        if re.search(rf"\b{re.escape(package.rpartition('.')[2])}\.{re.escape(leaf)}\b".encode(), data):
            return True
        module = project.module(path) if path.endswith(".py") else None
        if module is None:
            return package.encode() in data and not path.endswith(".py")
        home = exporter(broken.public)
        return any(
            item.name == leaf and module_path(project, item.module, item.level, path) == home for item in module.imports
        )
    called = rf"\b{re.escape(leaf)}\s*=" if broken.kind in ("parameter", "required") else rf"\.{re.escape(leaf)}\b"
    return re.search(called.encode(), data) is not None


def since(project: Project, releases: list[Release], broken: Break) -> str:
    """The tag of the first release that had it; "... or before" where only the last few were looked at."""
    firsts = [item for item in releases if item.patch == 0]
    tag, more = "", firsts[-_LOOK_BACK - 1 :]
    for release in reversed(more):
        if not _has(at_release(project, release), broken):
            return tag
        tag = release.tag
    return tag if more == firsts else f"{tag} or before"


def _of_name(old: Project, new: Project, broken: Break) -> str:
    leaf = broken.public.rpartition(".")[2]
    moved = sorted(
        (path for path in public(new) if path.rpartition(".")[2] == leaf), key=lambda path: (path.count("."), path)
    )
    if moved:
        return moved[0]
    still = paths_of(new).get((broken.old.path, broken.old.name))
    if still:
        return still[0]
    module = broken.old.path.removesuffix(".py").replace("/", ".")
    if broken.old.path in new.tree and "._" not in module and bound(new, broken.old.path, broken.old.name):
        return f"{module}.{broken.old.name}"
    here = place(old, broken.old)
    package = broken.public.rpartition(".")[0]
    if here is None:
        return ""
    best = (_ALIKE, "")
    for path, meant in public(new).items():
        if path in public(old) or not (path.rpartition(".")[0] == package or meant.path == here.path):
            continue
        there = place(new, meant)
        if (
            there is not None
            and type(there.record) is type(here.record)
            and _parts(here) & _parts(there) == _parts(here)
        ):
            best = max(best, (SequenceMatcher(None, leaf, path.rpartition(".")[2]).ratio(), path))
    return best[1]


def _parts(found: Place) -> set[str]:
    """Public methods of a class, or parameters of a function."""
    if isinstance(found.record, Function):
        return {item.name for item in found.record.parameters}
    prefix = found.record.qualname + "."
    names = {name.removeprefix(prefix) for name in methods(found.project, found.path) if name.startswith(prefix)}
    return {name for name in names if "." not in name and not name.startswith("_")}


def _of_parameter(old: Project, new: Project, broken: Break) -> str:
    """The only new parameter, if it stands in the same place, or the one whose name is most alike."""
    before, after = _names(old, broken), _names(new, broken)
    leaf = broken.symbol.rpartition(".")[2]
    added = [name for name in after if name not in before]
    gone = [name for name in before if name not in after]
    if (
        len(added) == len(gone) == 1
        and before.index(leaf) == after.index(added[0])
        and not broken.public.endswith("Config")
    ):
        return added[0]
    score, name = max(((SequenceMatcher(None, leaf, name).ratio(), name) for name in added), default=(0, ""))
    return name if score > _ALIKE else ""


def _names(project: Project, broken: Break) -> list[str]:
    owner = place(project, find(project, broken.public))
    if owner is None:
        return []
    member = broken.member.rpartition(".")[0]
    if isinstance(owner.record, Class) and not member:
        return [item.name for item in signature(*owner).arguments]
    function = owner.record
    if member:
        home = (
            next((link for link in mro(*owner) if link.methods(member)), None)
            if isinstance(owner.record, Class)
            else None
        )
        if home is None:
            return []
        owner, function = Place(home.project, home.path, home.methods(member)[-1]), home.methods(member)[-1]
    return [item.name for item in function_signature(owner.project, owner.path, function).arguments]


def _has(project: Project, broken: Break) -> bool:
    meant = find(project, broken.public)
    if meant is None or broken.kind == "name":
        return meant is not None
    owner = place(project, meant)
    if broken.kind in ("method", "member"):
        return (
            owner is not None
            and isinstance(owner.record, Class)
            and any(link.methods(broken.member) for link in mro(*owner))
        )
    return broken.symbol.rpartition(".")[2] in _names(project, broken)
