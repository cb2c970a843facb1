"""Which classes are ``torch.nn.Module``s, whether or not torch and tensordict are installed here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..facts.records import Class, Function, Module
from . import Project
from .mro import Link, mro

_ROOTS = ("torch.nn.Module", "torch.nn.modules.module.Module")
# What of torch.nn and tensordict.nn is a module, for a Python without them: their classes say so by name.
_OUTSIDE = re.compile(
    r"torch\.nn\.(?!Parameter\b|Buffer\b)[A-Z]\w*|tensordict\.nn\.(?:\w+\.)*[A-Z]\w*(?:Module|Sequential)\w*"
)


def is_module(line: tuple[Link, ...]) -> bool:
    """Whether a method resolution order leads to ``torch.nn.Module``; False where that cannot be decided."""
    return any(_is_root(link) for link in line[1:])


def descends(line: tuple[Link, ...], names: list[str]) -> bool:
    """Whether a class or one of its bases has one of some names."""
    return any(link.name.rpartition(".")[2] in names for link in line)


def children(project: Project, path: str, root: str) -> Iterator[tuple[Class, tuple[Link, ...]]]:
    """Classes of a file that derive from a class of a name, with their orders.

    Only classes with a base named after the root's last word are followed: resolving all would cost more than it finds.
    """
    module = project.module(path)
    word = re.findall(r"[A-Z][a-z0-9]*", root)[0]
    for record in module.classes if module else ():
        if record.name != root and any(word in base for base in record.bases):
            line = mro(project, path, record)
            if descends(line[1:], [root]):
                yield record, line


def method_of(module: Module, scope: str) -> tuple[Class, Function] | None:
    """The class and the method that a qualified name lies in, functions within the method included."""
    classes = {item.qualname: item for item in module.classes}
    parts = scope.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        owner = classes.get(".".join(parts[:cut]))
        if owner is not None:
            name = f"{owner.qualname}.{parts[cut]}"
            found = next((item for item in module.functions if item.qualname == name), None)
            return (owner, found) if found else None
    return None


def _is_root(link: Link) -> bool:
    if link.project is None:
        return _OUTSIDE.fullmatch(link.name) is not None or link.name in _ROOTS
    return link.name == "Module" and link.path == "torch/nn/modules/module.py"
