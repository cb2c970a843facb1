"""Whether a release warned of what a later tree takes away or changes, and for which release."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..facts.records import Assign, Class, Function
from . import Project
from .announcements import Announcement, announcements
from .api import Break, exporter
from .messages import HOLE
from .mro import Place, mro
from .names import lookup
from .public import place, public

_MAKING = ("__init__", "__new__", "__call__", "__init_subclass__", "__post_init__", "")
_DEPRECATES = re.compile(r"deprec", re.IGNORECASE)


class Warned(NamedTuple):
    """An announcement that covers a break.

    Args:
        target: the N of the release named; None where none is.
        path, line: where it stands in the old tree.
    """

    target: int | None
    path: str
    line: int


def warned(old: Project, broken: Break) -> Warned | None:
    """The announcement with the latest target that covers a break, in the tree that it is compared with."""
    found = [Warned(item.target, item.path, item.line) for item in _covering(old, broken)]
    found += _wrapped(old, broken)
    found += _decorated(old, broken)
    return max(found, key=lambda item: (item.target is not None, item.target or 0), default=None)


def _covering(old: Project, broken: Break) -> Iterator[Announcement]:
    here = place(old, broken.old)
    name = broken.public.rpartition(".")[2]
    if here is not None and here.project is old:
        owners = _owners(here) if isinstance(here.record, Class) else {(here.path, here.record.qualname)}
        for path in dict.fromkeys([here.path, broken.where[0], *(path for path, _ in sorted(owners))]):
            for item in announcements(old, path) if path.endswith(".py") else ():
                within = any(where == path and f"{item.symbol}.".startswith(f"{owner}.") for where, owner in owners)
                if _covers(item, broken, name, within) or (item.symbol == "<module>" and path == here.path):
                    yield item
    for item in announcements(old, exporter(broken.public)):
        if item.symbol == "__getattr__" and (_tests(item, name) or _mentions(item, name)):
            yield item


def _covers(item: Announcement, broken: Break, name: str, within: bool) -> bool:
    method = item.symbol.rpartition(".")[2]
    # What goes for the whole class or function goes for its parts.
    if within and (method in _MAKING or item.symbol == broken.old.name) and _whole(item, name):
        return True
    if parameter := _parameter(broken):
        # A helper that is given the value may warn; another class that has a parameter of the name does not count.
        helper = "." not in item.symbol and _tests(item, parameter)
        return (within and (_tests(item, parameter) or _mentions(item, parameter))) or (
            helper and _mentions(item, parameter)
        )
    return (
        broken.kind in ("method", "member") and within and (method == broken.member or _mentions(item, broken.member))
    )


def _owners(here: Place) -> set[tuple[str, str]]:
    """File and name of whatever runs when a class is made: its bases, metaclasses, and what computes those."""
    found: set[tuple[str, str]] = set()
    for link in mro(*here):
        if link.project is not here.project:
            continue
        found.add((link.path, link.name))
        for word in link.record.keywords:
            if word.startswith("metaclass="):
                _named(here.project, link.path, word.partition("=")[2], found, 4)
    return found


def _named(project: Project, path: str, text: str, found: set[tuple[str, str]], depth: int) -> None:
    for name in re.findall(r"[A-Za-z_][\w.]*", text) if depth else ():
        meant = lookup(project, path, name)
        if meant is None or not meant.path or meant.record is None or (meant.path, meant.name) in found:
            continue
        found.add((meant.path, meant.name))
        if isinstance(meant.record, Class):
            found.update(
                (link.path, link.name) for link in mro(project, meant.path, meant.record) if link.project is project
            )
        elif isinstance(meant.record, Assign):
            _named(project, meant.path, meant.record.value, found, depth - 1)


def _parameter(broken: Break) -> str:
    return broken.symbol.rpartition(".")[2] if broken.kind in ("parameter", "required", "default", "positional") else ""


def _tests(item: Announcement, name: str) -> bool:
    """Whether the warning stands in a branch that asks for the name."""
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", guard) for guard in item.site.warn.guards)


def _mentions(item: Announcement, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", item.text) is not None


def _whole(item: Announcement, name: str) -> bool:
    """Whether a warning is about its class or function itself, and not about one way of using it."""
    tested = [guard for guard in item.site.warn.guards if guard.partition(" ")[0] in ("if", "else", "case")]
    return (
        not tested
        or _mentions(item, name)
        or item.text.startswith((HOLE, "class " + HOLE, "This class", "The " + HOLE))
    )


def _wrapped(old: Project, broken: Break) -> list[Warned]:
    """For a Config's field: what the class that it configures says about the parameter."""
    owner = broken.public.rpartition(".")[2]
    if not (owner.endswith("Config") and _parameter(broken)):
        return []
    wanted = owner.removesuffix("Config")
    for path, meant in public(old).items():
        if path.rpartition(".")[2] == wanted and meant.path:
            field = broken.symbol.rpartition(".")[2]
            found = warned(
                old, broken._replace(public=path, symbol=f"{wanted}.{field}", old=meant, where=(meant.path, 1))
            )
            return [found] if found else []
    return []


def _decorated(old: Project, broken: Break) -> list[Warned]:
    """A decorator called after deprecation, or a module-level call of such a helper with the name."""
    meant, name = broken.old, broken.public.rpartition(".")[2]
    found = []
    if isinstance(meant.record, (Class, Function)):
        records = [meant.record]
        module = old.module(meant.path)
        if broken.kind == "method":
            records += [item for item in module.functions if item.qualname == f"{meant.name}.{broken.member}"]
        found += [
            Warned(None, meant.path, item.line)
            for record in records
            for item in record.decorators
            if _DEPRECATES.search(item.text.partition("(")[0])
        ]
    module = old.module(meant.path) if meant.path else None
    for item in module.warns if module else ():
        called, _, given = item.call.partition("(")
        if not item.scope and _DEPRECATES.search(called) and re.search(rf"\b{re.escape(name)}\b", given):
            found.append(Warned(None, meant.path, item.line))
    return found
