"""The records of a Python file: plain values and exact spans, never nodes.

Expressions are kept as their source text: ``ast.parse(text, mode="eval")`` brings one back where a
rule wants it. Lines and columns count from 1, columns in characters.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple


class Import(NamedTuple):
    """One imported name.

    ``import a.b as c`` is ("a.b", "", "c"), ``from ..a import b`` is ("a", "b", "b") at level 2,
    ``import a.b`` binds "a".

    Args:
        scope: qualified name of the enclosing function or class, "" at module level.
        guards: enclosing statements, outermost first: ``if <test>``, ``else <test>``, ``try <caught>``,
            ``except <caught>``, ``finally``, ``loop``, ``with``, ``case``.
    """

    module: str
    name: str
    bound: str
    level: int
    line: int
    column: int
    end_line: int
    scope: str
    guards: tuple[str, ...]


class Assign(NamedTuple):
    """A name bound by assignment at module or class level; ``op`` is "=", "+=" or ":" (annotation only)."""

    name: str
    op: str
    value: str
    annotation: str
    line: int
    column: int
    end_line: int
    scope: str
    guards: tuple[str, ...]


class Decorator(NamedTuple):
    """``text`` is the expression after the at sign."""

    text: str
    line: int
    end_line: int


class Parameter(NamedTuple):
    """``kind`` is one of "/", "", "*", "**" and "k" (keyword only), in the order of the signature."""

    name: str
    kind: str
    default: str | None
    annotation: str


class Function(NamedTuple):
    """A function or method, wherever it is defined.

    Args:
        line: the line of ``def``; decorators begin earlier.
        flow: how control leaves the body (see ``flow.py``); empty when it only ever falls off the end
            after doing plain work.
        doc: first and last line of the docstring, or None.
    """

    name: str
    qualname: str
    line: int
    column: int
    end_line: int
    is_async: bool
    decorators: tuple[Decorator, ...]
    parameters: tuple[Parameter, ...]
    returns: str
    flow: tuple[Any, ...]
    doc: tuple[int, int] | None
    guards: tuple[str, ...]

    _nested = {"decorators": Decorator, "parameters": Parameter}


class Class(NamedTuple):
    """``bases`` and ``keywords`` (``name=value``) hold source text.

    Args:
        configs: last names ending in Config that roles of the docstring name.
    """

    name: str
    qualname: str
    line: int
    column: int
    end_line: int
    decorators: tuple[Decorator, ...]
    bases: tuple[str, ...]
    keywords: tuple[str, ...]
    doc: tuple[int, int] | None
    guards: tuple[str, ...]
    configs: tuple[str, ...] = ()

    _nested = {"decorators": Decorator}


class Suppression(NamedTuple):
    """``# preflight: ignore[rule, ...] reason``; ``own_line`` when nothing else stands on the line."""

    rules: tuple[str, ...]
    reason: str
    line: int
    own_line: bool


class Warn(NamedTuple):
    """A statement that calls something named after warning or deprecation: ``warnings.warn``, a logger, a helper.

    Args:
        call: source of the call.
        scope: qualified name of the enclosing function or class, "" at module level.
        guards: as for imports.
    """

    call: str
    line: int
    column: int
    end_line: int
    scope: str
    guards: tuple[str, ...]


class Note(NamedTuple):
    """A paragraph of a docstring that names a release or begins a ``.. deprecated::``.

    Args:
        text: its lines as they stand in the file, the first one at ``line``.
        scope: qualified name of what the docstring documents, "" for the module.
    """

    text: str
    line: int
    scope: str


class Print(NamedTuple):
    """A call of ``print`` that is a statement, or that a statement without another effect decides about.

    Args:
        call: source of the call.
        scope: qualified name of the enclosing function or class, "" at module level.
        guards: as for imports.
    """

    call: str
    line: int
    column: int
    end_line: int
    scope: str
    guards: tuple[str, ...]


class Attribute(NamedTuple):
    """An assignment to ``self.name`` in a method, where name or value speak of a device.

    Args:
        owner: the name before the dot, mostly "self".
        value: source text, "" for a bare annotation and for what cannot be taken apart.
        scope: qualified name of the method.
        guards: as for imports.
    """

    owner: str
    name: str
    value: str
    line: int
    column: int
    end_line: int
    scope: str
    guards: tuple[str, ...]


class Choice(NamedTuple):
    """A test in a function that compares a name with a string or looks it up in several.

    Args:
        name: what is compared.
        among: source of the other side: a string, a display of them, or a name.
        scope: qualified name of the function.
    """

    name: str
    among: str
    line: int
    scope: str


class Citation(NamedTuple):
    """A class whose docstring speaks of a paper and holds no link; ``line`` is that of the class."""

    scope: str
    line: int
    words: str


class Emoji(NamedTuple):
    """A character that Unicode presents as an emoji by default."""

    character: str
    line: int
    column: int


class Probe(NamedTuple):
    """A call of ``find_spec``, ``importorskip`` or ``import_module``.

    Args:
        name: what is called, without what stands before it.
        argument: the module asked for; "" where it is computed.
        scope: qualified name of the enclosing function or class, "" at module level.
        guards: as for imports; ``and``, ``or`` and conditional expressions before the call count, too.
    """

    name: str
    argument: str
    line: int
    column: int
    end_line: int
    scope: str
    guards: tuple[str, ...]


class Comparison(NamedTuple):
    """A comparison that mentions a version.

    Args:
        guards: as for probes.
        use: what becomes of it: "if" (a condition), "set" (bound to a name), "return", or "".
    """

    text: str
    line: int
    column: int
    end_line: int
    scope: str
    guards: tuple[str, ...]
    use: str


class Failure(NamedTuple):
    """Why a file has no facts: ``kind`` is "syntax", or "limit" where the file was not judged at all."""

    kind: str
    message: str
    line: int | None
    column: int


class Module(NamedTuple):
    """All facts of one Python file; with a ``failure`` everything else is empty.

    Args:
        flow: as for functions, of a file that pytest may skip as a whole while it imports it.
    """

    failure: Failure | None
    doc: tuple[int, int] | None
    imports: tuple[Import, ...]
    assigns: tuple[Assign, ...]
    functions: tuple[Function, ...]
    classes: tuple[Class, ...]
    suppressions: tuple[Suppression, ...]
    lines: int
    warns: tuple[Warn, ...] = ()
    notes: tuple[Note, ...] = ()
    flow: tuple[Any, ...] = ()
    prints: tuple[Print, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    choices: tuple[Choice, ...] = ()
    citations: tuple[Citation, ...] = ()
    emoji: tuple[Emoji, ...] = ()
    probes: tuple[Probe, ...] = ()
    comparisons: tuple[Comparison, ...] = ()

    _nested = {
        "failure": Failure,
        "imports": Import,
        "assigns": Assign,
        "functions": Function,
        "classes": Class,
        "suppressions": Suppression,
        "warns": Warn,
        "notes": Note,
        "prints": Print,
        "attributes": Attribute,
        "choices": Choice,
        "citations": Citation,
        "emoji": Emoji,
        "probes": Probe,
        "comparisons": Comparison,
    }


def plain(value: Any) -> Any:
    """A record, or a tuple of records, as nested plain tuples, the only thing that the store writes."""
    nested = getattr(type(value), "_nested", None)
    if nested is None:
        return tuple(map(plain, value)) if type(value) is tuple else tuple(value)
    fields = list(value)
    for name, inner in nested.items():
        position = value._fields.index(name)
        held = fields[position]
        if type(held) is tuple and not hasattr(inner, "_nested"):
            # Straight to the tuples: a whole tree holds a hundred thousand of these.
            fields[position] = tuple(map(tuple, held))
        elif held is not None:
            fields[position] = plain(held)
    return tuple(fields)


def revive(kind: type, value: tuple) -> Any:
    """The record of a kind from what ``plain`` made of it."""
    nested = getattr(kind, "_nested", None)
    return _make_nested(kind, nested, value) if nested else tuple.__new__(kind, value)


def _make_nested(kind: type, nested: dict[str, type], value: tuple) -> Any:
    fields = list(value)
    for name, inner in nested.items():
        position = kind._fields.index(name)
        held = fields[position]
        if not held:
            continue
        deeper = getattr(inner, "_nested", None)
        # One record or a tuple of records: a single record's first field is never a tuple.
        if not isinstance(held[0], tuple):
            fields[position] = revive(inner, held)
        elif deeper:
            fields[position] = tuple([_make_nested(inner, deeper, item) for item in held])
        else:
            # Straight to the tuple: a whole tree holds a hundred thousand of these.
            fields[position] = tuple(map(partial(tuple.__new__, inner), held))
    return tuple.__new__(kind, fields)
