"""What a full dotted path leads to: the longest module that can be imported, then attribute by attribute."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from ..facts.records import Class
from . import Project
from .bodies import source
from .mro import Link, mro
from .names import Definition, bindings, module_path
from .public import bound, place
from .worlds import parse

UNKNOWN = object()
"""There may be such a thing: something on the way is computed, or comes from outside the tree."""


class Member(NamedTuple):
    """An attribute of a class: the class that has it, and its name."""

    path: str
    owner: str
    name: str


Found = Definition | Member


def resolve(project: Project, dotted: str) -> Found | object | None:
    """What an import and attribute look-ups give for a path.

    Returns:
        A ``Definition`` (without a name for a module), a ``Member``; UNKNOWN where that cannot be decided; None where
        it certainly fails.
    """
    key = ("resolve", dotted)
    if key not in project.memo:
        project.memo[key] = _resolve(project, dotted)
    return project.memo[key]


def _resolve(project: Project, dotted: str) -> Found | object | None:
    parts = dotted.split(".")
    if not all(parts):
        return None
    for cut in range(len(parts), 0, -1):
        path = _module(project, ".".join(parts[:cut]))
        if path is not None:
            return _attributes(project, path, parts[cut:])
    return None if project.tree.paths("/".join(parts), ".py") == [] else Definition("/".join(parts), "", None)


def _module(project: Project, dotted: str) -> str | None:
    """File of a module that can be imported by a path, by what its package puts into ``sys.modules``, too."""
    path = module_path(project, dotted, 0, "")
    if path is not None:
        return path
    package, _, name = dotted.rpartition(".")
    home = module_path(project, package, 0, "") if package else None
    return _registered(project, home).get(name) if home else None


def _registered(project: Project, path: str) -> dict[str, str]:
    """Name -> file for ``sys.modules[f"{__name__}.name"] = module`` in a package."""
    key = ("registered modules", path)
    if key not in project.memo:
        project.memo[key] = {}  # A circle ends here.
        text = project.text(path) or ""
        project.memo[key] = _registrations(project, path, text) if "sys.modules[" in text else {}
    return project.memo[key]


def _registrations(project: Project, path: str, text: str) -> dict[str, str]:
    package = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    found = {}
    for target, value in re.findall(r"^sys\.modules\[(.+)\]\s*=\s*(.+?)\s*(?:#.*)?$", text, re.MULTILINE):
        name = _string(parse(target), package)
        meant = _module_meant(project, path, parse(value), package)
        if name and meant and name.rpartition(".")[0] == package:
            found[name.rpartition(".")[2]] = meant
    return found


def _module_meant(project: Project, path: str, node: ast.expr | None, package: str) -> str | None:
    """File of the module that an expression of an ``__init__`` is."""
    if isinstance(node, ast.Name):
        meant = bound(project, path, node.id)
        return meant.path if meant is not None and not meant.name else None
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "sys.modules":
        return _module(project, _string(node.slice, package))
    return None


def _string(node: ast.expr | None, package: str) -> str:
    """A string put together from literals and ``__name__``; "" for another."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name) and node.id == "__name__":
        return package
    pieces: list[ast.expr] = []
    if isinstance(node, ast.JoinedStr):
        pieces = [item.value if isinstance(item, ast.FormattedValue) else item for item in node.values]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        pieces = [node.left, node.right]
    told = [_string(piece, package) for piece in pieces]
    return "".join(told) if all(told) else ""


def _attributes(project: Project, path: str, parts: list[str]) -> Found | object | None:
    meant: Definition | None = Definition(path, "", None)
    for at, part in enumerate(parts):
        if meant.path and not meant.name:
            inner = bound(project, meant.path, part)
            if inner is None:
                computed = part in _MODULE or _computes(project, meant.path)
                return UNKNOWN if computed else None
            meant = inner
            continue
        return _of_definition(project, meant, parts[at:])
    # A thing of another package, or one that only a run would know.
    return meant if meant.path else UNKNOWN


_MODULE = ("__all__", "__name__", "__doc__", "__file__", "__path__", "__version__", "__dict__")


def _computes(project: Project, path: str) -> bool:
    """Whether a module binds names in ways that cannot be followed, or cannot be read."""
    text, module = project.text(path), project.module(path)
    if text is None or module is None:
        return True
    starred = (bindings(project, path) or {}).get(("", "*"), ())
    if any(module_path(project, item.module, item.level, path) is None for item in starred):
        return True
    # What a function does (a __getattr__ that keeps what it found) names nothing before it is called.
    lines = [
        text.count("\n", 0, found.start()) + 1 for found in re.finditer(r"globals\(\)|vars\(\)|setattr\(sys\.mod", text)
    ]
    return any(not any(item.line <= line <= item.end_line for item in module.functions) for line in lines)


def _of_definition(project: Project, meant: Definition, parts: list[str]) -> Found | object | None:
    """What attributes of a class lead to."""
    here = place(project, meant)
    if here is None or not isinstance(here.record, Class) or here.project is not project:
        return UNKNOWN
    found = member(project, here.path, here.record, parts[0])
    if len(parts) == 1 or not isinstance(found, Member):
        return found
    nested = (bindings(project, found.path) or {}).get((found.owner, found.name), [])
    if nested and isinstance(nested[-1], Class):
        return _of_definition(project, Definition(found.path, nested[-1].qualname, nested[-1]), parts[1:])
    return UNKNOWN


def member(project: Project, path: str, record: Class, name: str) -> Member | object | None:
    """An attribute of a class, by its own body, what its methods set, and its bases; UNKNOWN and None as in ``resolve``."""
    line = mro(project, path, record)
    for link in line:
        if link.record is None:
            return UNKNOWN
        if (found := _member(link, name)) is not None:
            return found
    # Names come from Python itself, metaclasses and decorators, too, and are set from outside.
    if (
        name.startswith("__")
        or name == "_abc_impl"
        or any(_gives(link) for link in line)
        or _set_outside(project, line, name)
    ):
        return UNKNOWN
    return None


def _member(link: Link, name: str) -> Member | None:
    index = bindings(link.project, link.path) or {}
    if (link.name, name) in index:
        return Member(link.path, link.name, name)
    return Member(link.path, link.name, name) if name in _own(link) else None


def _own(link: Link) -> frozenset[str]:
    """Names that the methods of a class set on what they call self, and those of ``__slots__``."""
    key = ("set on self", link.path, link.name, link.record.line)
    if key not in link.project.memo:
        text = source(link.project, link.path, link.record)
        names = re.findall(r"\b(?:self|cls)\.(\w+)\b(?=[^=\n]*=[^=]|\s*:)", text)
        names += re.findall(r"""(?:setattr\(\s*\w+\s*,|register_buffer\(|register_parameter\()\s*["'](\w+)["']""", text)
        link.project.memo[key] = frozenset(names)
    return link.project.memo[key]


def _gives(link: Link) -> bool:
    """Whether a class has members that its body does not show."""
    if any(
        word.startswith("metaclass=") and not word.endswith(("ABCMeta", "EnumMeta")) for word in link.record.keywords
    ):
        return True
    return any("tensorclass" in item.text for item in link.record.decorators)


def _set_outside(project: Project, line: tuple[Link, ...], name: str) -> bool:
    """Whether the module of a class assigns the attribute to it: ``Class.name = ...``, ``setattr(Class, name, ...)``."""
    for link in line:
        text = (link.project.text(link.path) if link.project else None) or ""
        owner = re.escape(link.name)
        if f"{link.name}.{name}" in text and re.search(rf"\b{owner}\.{re.escape(name)}\s*=", text):
            return True
        if "setattr(" in text and re.search(
            rf"""setattr\(\s*{owner}\s*,\s*(?:["']{re.escape(name)}["']|[^"'\s])""", text
        ):
            return True
    return False
