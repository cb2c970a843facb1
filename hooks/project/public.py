"""The public API, read and never imported: which dotted paths a package promises, and what stands behind each.

A path is public where a package's ``__init__`` exports it: the names of its ``__all__``, else every name
without an underscore that it binds to something of the tree. Packages with an underscore promise nothing.
Two paths are the same thing when file and qualified name of their definitions agree.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ..facts.records import Assign, Class, Function, Import
from . import Project
from .lazy import Attribute, lazy
from .mro import Place, used
from .names import Definition, bindings, module_path
from .worlds import dotted_name, parse

_HOPS = 20
_MADE = re.compile(r"type\(.*?dict\(\s*([\w.]+)\.__dict__\s*\)", re.DOTALL)


def public(project: Project) -> dict[str, Definition]:
    """Public dotted path -> what it means, for the profile's package.

    Modules are left out. What comes from another package has path "" and its dotted name there.
    """
    key = ("public",)
    if key not in project.memo:
        found = {}
        for path in project.tree.paths(project.profile["package"], "/__init__.py"):
            package = path.removesuffix("/__init__.py").replace("/", ".")
            if "._" in package:
                continue
            for name in exported(project, path):
                meant = bound(project, path, name)
                if meant is not None and (meant.name or not meant.path):
                    found[f"{package}.{name}"] = meant
        project.memo[key] = found
    return project.memo[key]


def paths_of(project: Project) -> dict[tuple[str, str], list[str]]:
    """(file, qualified name) -> its public paths, the shortest first."""
    key = ("public paths",)
    if key not in project.memo:
        found: dict[tuple[str, str], list[str]] = {}
        for path, meant in public(project).items():
            found.setdefault((meant.path, meant.name), []).append(path)
        project.memo[key] = {
            where: sorted(paths, key=lambda path: (path.count("."), path)) for where, paths in found.items()
        }
    return project.memo[key]


def unlisted(project: Project) -> dict[tuple[str, str], str]:
    """(file, qualified name) of classes and functions that a package binds but leaves out of its ``__all__`` -> the path."""
    key = ("unlisted",)
    if key not in project.memo:
        found: dict[tuple[str, str], str] = {}
        for path in project.tree.paths(project.profile["package"], "/__init__.py"):
            package = path.removesuffix("/__init__.py").replace("/", ".")
            listed = None if "._" in package else _declared(project, path, _HOPS)
            for name in sorted(set(_names(project, path)) - set(listed)) if listed is not None else ():
                meant = bound(project, path, name)
                if meant is not None and meant.path and isinstance(meant.record, (Class, Function)):
                    found.setdefault((meant.path, meant.name), f"{package}.{name}")
        project.memo[key] = found
    return project.memo[key]


def exported_above(project: Project, path: str, name: str) -> bool:
    """Whether a package that a file lies in exports a name of the file; cheaper than to ask for all that is public."""
    key = ("exported above", path, name)
    if key not in project.memo:
        folders = path.split("/")[:-1]
        packages = ["/".join(folders[: cut + 1]) + "/__init__.py" for cut in range(len(folders))]
        project.memo[key] = any(
            name in exported(project, package)
            and (meant := bound(project, package, name)) is not None
            and meant.path == path
            for package in packages
            if package in project.tree and "/_" not in package.removesuffix("/__init__.py")
        )
    return project.memo[key]


def find(project: Project, dotted: str) -> Definition | None:
    """What an import of a full dotted path gives, exported or not; None where it fails."""
    module, _, name = dotted.rpartition(".")
    path = module_path(project, module, 0, "")
    if path is not None:
        return bound(project, path, name)
    return Definition("", dotted, None) if _registered(project, module) else None


def exported(project: Project, path: str) -> list[str]:
    """Names that a module exports: its ``__all__`` without private names, else what it binds to things of the tree."""
    declared = _declared(project, path, _HOPS)
    if declared is not None:
        return [name for name in dict.fromkeys(declared) if not name.startswith("_")]
    names = []
    for name in _names(project, path):
        meant = bound(project, path, name)
        if meant is not None and meant.path and meant.name:
            names.append(name)
    return names


def declared(project: Project, path: str) -> list[str] | None:
    """Names of a module's ``__all__`` as they are written; None where there is none or it cannot be read."""
    return _declared(project, path, _HOPS)


def bound(project: Project, path: str, name: str, hops: int = _HOPS) -> Definition | None:
    """What a name of a module means: re-exports, fallbacks of ``try``, aliases, star imports and ``__getattr__`` followed.

    Returns:
        The definition; for a module, one without a name; None where the module has no such attribute.
    """
    key = ("bound", path, name)
    if key not in project.memo:
        project.memo[key] = None  # A circle ends here.
        project.memo[key] = _bound(project, path, name, hops)
    return project.memo[key]


def place(project: Project, meant: Definition | None) -> Place | None:
    """The class or function that a definition is; for ``X = type("X", ..., dict(Y.__dict__))``, the class Y."""
    if meant is None or not meant.path:
        return None
    if isinstance(meant.record, (Class, Function)):
        return Place(project, meant.path, meant.record)
    made = _MADE.match(meant.record.value) if isinstance(meant.record, Assign) else None
    found = used(project, meant.path, made[1]) if made else None
    return found if isinstance(found, Place) else None


def _bound(project: Project, path: str, name: str, hops: int) -> Definition | None:
    found = (bindings(project, path) or {}).get(("", name), []) if hops else []
    plain = tuple(item for item in found if isinstance(item, (Class, Function)))
    if plain:
        return Definition(path, name, plain[-1], plain[:-1])
    outside = None
    for item in found:
        meant = _imported(project, path, item, hops) if isinstance(item, Import) else None
        if meant is not None and meant.path:
            return meant
        outside = outside or meant
    assigned = [item for item in found if isinstance(item, Assign) and item.value.strip() != name]
    if outside is not None and all(item.value in ("None", "") for item in assigned):
        return outside
    if assigned:
        return _assigned(project, path, name, assigned, hops)
    return (
        _starred(project, path, name, hops) or _answered(project, path, name, hops) or _submodule(project, path, name)
    )


def _imported(project: Project, path: str, item: Import, hops: int) -> Definition | None:
    dotted = ".".join(filter(None, (item.module, item.name)))
    target = module_path(project, item.module, item.level, path)
    if not item.name:
        return Definition(target, "", None) if target else Definition("", item.bound, None)
    if target is None:
        return None if item.level else Definition("", dotted, None)
    if target == path:
        return _submodule(project, path, item.name)
    return bound(project, target, item.name, hops - 1)


def _assigned(project: Project, path: str, name: str, records: list[Assign], hops: int) -> Definition | None:
    """An alias is what it names; anything else is itself."""
    record = next((item for item in reversed(records) if item.value not in ("None", "")), records[-1])
    value = record.value.strip()
    if re.fullmatch(r"[A-Za-z_][\w.]*", value) and value not in ("None", "True", "False"):
        first, *rest = value.split(".")
        meant = bound(project, path, first, hops - 1)
        for part in rest:
            meant = bound(project, meant.path, part, hops - 1) if meant and meant.path and not meant.name else None
        if meant is not None and meant.path and meant.name:
            return meant
    return Definition(path, name, record, tuple(item for item in records if item is not record))


def _starred(project: Project, path: str, name: str, hops: int) -> Definition | None:
    module = project.module(path)
    for item in reversed(module.imports) if module else ():
        target = module_path(project, item.module, item.level, path) if item.name == "*" and not item.scope else None
        if (
            target is not None
            and target != path
            and not name.startswith("_")
            and name in _star_names(project, target, hops)
        ):
            return bound(project, target, name, hops - 1)
    return None


def _star_names(project: Project, path: str, hops: int) -> list[str]:
    declared = _declared(project, path, hops - 1) if hops else None
    return _names(project, path) if declared is None else declared


def _answered(project: Project, path: str, name: str, hops: int) -> Definition | None:
    answer = lazy(project, path, name) if not name.startswith("__") else None
    if isinstance(answer, Attribute):
        return bound(project, answer.path, answer.name, hops - 1) if answer.name else Definition(answer.path, "", None)
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return None if answer is None else Definition("", f"{module}.{name}", None)


def _submodule(project: Project, path: str, name: str) -> Definition | None:
    found = module_path(project, name, 1, path) if path.endswith("/__init__.py") else None
    return Definition(found, "", None) if found else None


def _names(project: Project, path: str) -> list[str]:
    """Names without an underscore that a module binds, star imports included."""
    index = bindings(project, path) or {}
    names = [name for scope, name in index if not scope and not name.startswith("_") and name != "*"]
    for item in index.get(("", "*"), ()):
        target = module_path(project, item.module, item.level, path)
        names += _star_names(project, target, _HOPS) if target and target != path else []
    return list(dict.fromkeys(names))


def _declared(project: Project, path: str, hops: int) -> list[str] | None:
    """Names of ``__all__`` as far as they are written down; None where there is none or nothing of it can be read."""
    records = [item for item in (bindings(project, path) or {}).get(("", "__all__"), []) if isinstance(item, Assign)]
    names: list[str] = []
    known = False
    for record in records:
        if record.op == "=":
            names = []
        for part in _listed(project, path, parse(record.value), hops):
            known = known or part is not None
            names += [part] if part else []
    return names if known or (records and not names and records[-1].value.strip() in ("[]", "()")) else None


def _listed(project: Project, path: str, node: ast.expr | None, hops: int) -> Iterator[str | None]:
    """Strings of a list as it is put together; None for a part that cannot be read."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        for item in node.elts:
            yield from _listed(project, path, item.value if isinstance(item, ast.Starred) else item, hops)
    elif isinstance(node, ast.Dict):
        for key in node.keys:
            yield from _listed(project, path, key, hops)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.BitOr)):
        yield from _listed(project, path, node.left, hops)
        yield from _listed(project, path, node.right, hops)
    elif (
        isinstance(node, ast.Call)
        and dotted_name(node.func) in ("list", "tuple", "set", "sorted")
        and len(node.args) == 1
    ):
        yield from _listed(project, path, node.args[0], hops)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "copy"):
        yield from _listed(project, path, node.func.value, hops)
    elif isinstance(node, ast.Attribute) and node.attr == "__all__" and hops:
        owner = bound(project, path, dotted_name(node.value), hops - 1)
        yield from (
            (_declared(project, owner.path, hops - 1) or [None]) if owner and owner.path and not owner.name else [None]
        )
    elif isinstance(node, ast.Name) and hops:
        yield from _constant(project, path, node.id, hops)
    else:
        yield None


def _constant(project: Project, path: str, name: str, hops: int) -> Iterator[str | None]:
    found: list[Any] = (bindings(project, path) or {}).get(("", name), [])
    last = found[-1] if found else None
    if isinstance(last, Assign):
        yield from _listed(project, path, parse(last.value), hops - 1)
    elif isinstance(last, Import) and (target := module_path(project, last.module, last.level, path)):
        # ``from .part import __all__ as part_all`` is how lists are put together.
        if last.name == "__all__":
            yield from _declared(project, target, hops - 1) or [None]
        else:
            yield from _constant(project, target, last.name, hops - 1)
    else:
        yield None


def _registered(project: Project, module: str) -> bool:
    """Whether some ``__init__`` above a module that has no file puts it into ``sys.modules``."""
    parts = module.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        text = project.text("/".join([*parts[:cut], "__init__.py"])) or ""
        if "sys.modules" in text and re.search(rf"sys\.modules\[\s*['\"]{re.escape(module)}['\"]\s*\]\s*=", text):
            return True
    return False
