"""Where the arguments that docstrings describe and those that a signature takes part ways."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from ..facts.docstrings import Docstring
from ..facts.records import Class, Function
from . import Project
from .docs import all_of, docstring_of
from .dotted import UNKNOWN, member
from .mro import Place, mro
from .names import bindings
from .parity import is_deprecated
from .signatures import Argument, function_signature, is_overload, signature
from .worlds import parse

_PROPERTIES = ("property", "setter", "getter", "deleter", "cached_property", "classproperty")
_ALIKE = 0.75
_FEW = 3


class Gap(NamedTuple):
    """One difference.

    Args:
        kind: "absent" (taken, not described), "stale" (described, not taken), "renamed" (described as ``name``, taken as
            ``now``), "default" (described as ``name`` with the default ``was``, taken with ``now``), "unlisted" (nothing is
            described; ``name`` joins what is taken), "partial" (most fields are not; ``name`` joins them).
        severity: as in findings, "" for the rule's own.
        doc: the docstring that describes it; None where none does.
    """

    kind: str
    name: str
    severity: str
    doc: Docstring | None = None
    was: str = ""
    now: str = ""


def gaps(project: Project, path: str, record: Class | Function) -> Iterator[Gap]:
    """Differences between the docstrings of a public definition and its signature."""
    if isinstance(record, Class):
        docs = all_of(project, path, record)
        if docs and not _is_described_elsewhere(record):
            yield from _of_class(project, path, record, docs)
        return
    doc = docstring_of(project, path, record)
    decorated = {item.text.partition("(")[0].rpartition(".")[2] for item in record.decorators}
    if doc is None or is_overload(record) or decorated & set(_PROPERTIES):
        return
    taken = function_signature(project, path, record)
    method = "." in record.qualname and "staticmethod" not in decorated
    arguments = [item for item in taken.arguments[method:] if item.origin == "own"]
    first = record.parameters[1:] if method else record.parameters
    free = any(item.kind in ("*", "**") for item in first)
    # What a decorator passes in or takes away is not seen here.
    changed = bool(decorated - {"staticmethod", "classmethod", "abstractmethod"})
    yield from _compared(
        project, Place(project, path, record), [doc], arguments, free or changed, set(), "." in record.qualname, False
    )


def _is_described_elsewhere(record: Class) -> bool:
    """Whether ``Args`` of a class are not those of its constructor: a protocol describes a call."""
    return any(
        base.partition("[")[0].rpartition(".")[2] in ("Protocol", "TypedDict", "NamedTuple") for base in record.bases
    )


def _of_class(project: Project, path: str, record: Class, docs: list[Docstring]) -> Iterator[Gap]:
    taken = signature(project, path, record)
    inherited = bool(taken.first[0]) and taken.first[0] != record.qualname
    free = bool(taken.open or taken.variadic or any(item.kind in ("*", "**") for item in taken.first[1]))
    known = {item.name for item in taken.arguments} | _of_new(project, path, record)
    described = {item.name for doc in docs for item in doc.items}
    # A name that is a property is documented as one.
    known |= {name for name in described - known if _is_shown(project, path, record, name)}
    known |= set(taken.taken)
    own = [item for item in taken.arguments if item.origin in ("own", "field", "overload")]
    yield from _compared(project, Place(project, path, record), docs, own, free, known, False, inherited)


def _is_shown(project: Project, path: str, record: Class, name: str) -> bool:
    """Whether a class body or that of a base has a name, or may have it; what a method sets on self is no excuse."""
    found = member(project, path, record, name)
    return found is UNKNOWN or any(
        link.record is not None and (link.name, name) in (bindings(link.project, link.path) or {})
        for link in mro(project, path, record)
    )


def _of_new(project: Project, path: str, record: Class) -> set[str]:
    """Parameters of every ``__new__`` in the tree: a class may be called by them, too."""
    found = set()
    for link in mro(project, path, record):
        for function in link.methods("__new__") if link.record is not None else ():
            found |= {item.name for item in function.parameters}
    return found


def _compared(
    project: Project,
    place: Place,
    docs: list[Docstring],
    taken: list[Argument],
    free: bool,
    known: set[str],
    inner: bool,
    inherited: bool,
) -> Iterator[Gap]:
    described = {item.name: doc for doc in docs for item in doc.items}
    unread = "\n".join(doc.unread for doc in docs)
    wanted = [item for item in taken if not item.name.startswith("_")]
    if not any(doc.listed for doc in docs):
        if wanted and not inner and not any("attributes" in doc.sections for doc in docs):
            yield Gap("unlisted", ", ".join(item.name for item in wanted), "warning" if not inherited else "advisory")
        return
    absent = [item for item in wanted if item.name not in described and not re.search(rf"\b{item.name}\b", unread)]
    known = known | {item.name for item in taken}
    stale = [] if free else [name for name in described if name not in known]
    for name in stale:
        from difflib import get_close_matches

        alike = get_close_matches(name, [item.name for item in absent], cutoff=_ALIKE)
        if len(alike) == 1:
            absent = [item for item in absent if item.name != alike[0]]
            yield Gap("renamed", name, "", described[name], now=alike[0])
        else:
            yield Gap("stale", name, "", described[name])
    if len(absent) > max(len(described), _FEW) and all(item.origin == "field" for item in absent):
        # Whoever describes a few of many settings does so on purpose.
        yield Gap("partial", ", ".join(item.name for item in absent), "warning")
        absent = []
    for item in absent:
        severity = "warning" if inherited else "advisory" if is_deprecated(place, item) else ""
        yield Gap("absent", item.name, severity)
    yield from _defaults(docs, taken)


def _defaults(docs: list[Docstring], taken: list[Argument]) -> Iterator[Gap]:
    """Stated defaults that are not those of the signature, as far as both are literals."""
    arguments = {item.name: item for item in taken}
    for doc in docs:
        for item in doc.items:
            argument = arguments.get(item.name)
            if not item.default or argument is None or argument.default in (None, "None"):
                continue
            stated, given = _literal(item.default), _literal(argument.default)
            if given is not None and stated is not None and stated != given and str(given[0]) != item.default:
                yield Gap("default", item.name, "warning", doc, item.default, argument.default)


def _literal(text: str) -> tuple | None:
    """The value of a literal, and whether it is a truth value: True is not 1."""
    node = parse(text)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return (-node.operand.value, False) if isinstance(node.operand.value, (int, float)) else None
    if not isinstance(node, ast.Constant) or node.value is ...:
        return None
    return (node.value, isinstance(node.value, bool))
