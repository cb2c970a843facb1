"""Whether a release warned of what a later tree takes away or changes, and for which release."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..facts.records import Class, Function
from . import Project
from .announcements import Announcement, announcements
from .api import Break, exporter
from .messages import HOLE
from .mro import Link, Place, mro
from .public import place, public
from .signatures import metaclass

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
    name, parameter = broken.public.rpartition(".")[2], _parameter(broken)
    if here is not None and here.project is old:
        links = _links(here) if isinstance(here.record, Class) else ()
        for path in dict.fromkeys([here.path, broken.where[0], *(link.path for link in links)]):
            for item in announcements(old, path) if path.endswith(".py") else ():
                owner, _, method = item.symbol.rpartition(".")
                within = [link for link in links if link.path == path and f"{item.symbol}.".startswith(f"{link.name}.")]
                if parameter:
                    if _tests(item, parameter) and (within or item.symbol == here.record.qualname or _mentions(item, parameter)):
                        yield item
                    elif _mentions(item, parameter) and (within or item.symbol == here.record.qualname):
                        yield item
                elif broken.kind in ("method", "member"):
                    if method == broken.member or (within and _mentions(item, broken.member)):
                        yield item
                # What goes for the whole class or function goes for its parts.
                making = any(link.name == owner and method in _MAKING for link in within) or item.symbol == here.record.qualname
                if (making and _whole(item, name)) or (item.symbol == "<module>" and path == here.path):
                    yield item
    for item in announcements(old, exporter(broken.public)):
        if item.symbol == "__getattr__" and (_tests(item, name) or _mentions(item, name)):
            yield item


def _links(here: Place) -> tuple[Link, ...]:
    line = mro(*here)
    kind = metaclass(line)
    kinds = mro(kind.project, kind.path, kind.record) if kind else ()
    return tuple(link for link in (*line, *kinds) if link.project is here.project)


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
    return not tested or _mentions(item, name) or item.text.startswith((HOLE, "class " + HOLE, "This class", "The " + HOLE))


def _wrapped(old: Project, broken: Break) -> list[Warned]:
    """For a Config's field: what the class that it configures says about the parameter."""
    owner = broken.public.rpartition(".")[2]
    if not (owner.endswith("Config") and _parameter(broken)):
        return []
    wanted = owner.removesuffix("Config")
    for path, meant in public(old).items():
        if path.rpartition(".")[2] == wanted and meant.path:
            field = broken.symbol.rpartition(".")[2]
            found = warned(old, broken._replace(public=path, symbol=f"{wanted}.{field}", old=meant, where=(meant.path, 1)))
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
            for record in records for item in record.decorators if _DEPRECATES.search(item.text.partition("(")[0])
        ]
    module = old.module(meant.path) if meant.path else None
    for item in module.warns if module else ():
        called, _, given = item.call.partition("(")
        if not item.scope and _DEPRECATES.search(called) and re.search(rf"\b{re.escape(name)}\b", given):
            found.append(Warned(None, meant.path, item.line))
    return found
