"""Bytes of a Python file -> what its docstrings say of arguments, refer to, and whether their examples can be read.

Arguments are read with docstring_parser, section by section, so that what it cannot read spoils one item and not all.
"""

from __future__ import annotations

import ast
import builtins
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from .references import references
from .rst import Role
from .source import first_line, walk
from .texts import texts

if TYPE_CHECKING:
    import docstring_parser

_ARGUMENTS = {
    *("args", "arguments", "parameters", "params", "keyword args", "keyword arguments", "kwargs", "other parameters"),
    *("keyword-only args", "keyword only args", "keyword-only arguments", "keyword only arguments", "optional args"),
}
_TITLE = re.compile(r"^(\w[\w /*-]*?)::?[ \t]*$")
_OTHER = re.compile(r"^\s*:(?:param|arg|argument|key|keyword)\b[^:\n]*:|^\s*Parameters\s*\n\s*-{3,}", re.MULTILINE)
_NAME = re.compile(r"\*{0,2}([^\W\d]\w*)")
_DEFAULT = re.compile(
    r"\b[Dd]efaults?(?:\s+(?:value\s+)?(?:is|to)|\s*[:=])\s*[:=]?\s*(``?[^`]+``?|'[^']*'|\"[^\"]*\"|[-\w.]+)"
)
_DOCTEST = ">>>"
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
_ALWAYS = (*dir(builtins), "__name__", "__file__", "__doc__")
_BINDING = {
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef), "name"),
    **dict.fromkeys((ast.ExceptHandler, ast.MatchAs, ast.MatchStar), "name"),
    ast.arg: "arg",
    ast.MatchMapping: "rest",
}
"""Nodes that bind a name, and where it is."""
_ROLE = re.compile(r":\w[\w:]*:(?=`)")
"""In front of a type's name it would end the item's head."""


class Item(NamedTuple):
    """One documented argument; ``default`` is the source that its text states, "" for none."""

    name: str
    default: str


class Docstring(NamedTuple):
    """What one docstring says.

    Args:
        scope: qualified name of what it documents.
        line: where that is defined.
        items: the arguments that it documents, in order.
        listed: whether it has a section for them.
        unread: text of what stands in such a section and is no argument that can be told.
        sections: titles of all sections, in lower case.
        prompts: whether it has an interactive example; ``code``, whether it has a code block.
        broken: why its examples cannot be read, "" if they can.
        unknown: names that its examples use and nothing gives a meaning.
    """

    scope: str
    line: int
    items: tuple[Item, ...]
    listed: bool
    unread: str
    sections: tuple[str, ...]
    prompts: bool
    code: bool
    broken: str
    unknown: tuple[str, ...]

    _nested = {"items": Item}


class Docstrings(NamedTuple):
    """The docstrings of a file that users read, and the references in all of them."""

    found: tuple[Docstring, ...]
    roles: tuple[Role, ...]

    _nested = {"found": Docstring, "roles": Role}


def docstrings(data: bytes) -> Docstrings:
    """Facts of one Python file's docstrings."""
    tree, found = texts(data)
    bound = (
        frozenset(_top(tree.body)) if tree is not None and any(_DOCTEST in item.text for item in found) else frozenset()
    )
    read = tuple(_docstring(item.scope, item.line, item.text, bound) for item in found if _is_read(item.scope))
    return Docstrings(read, references(found))


def _is_read(scope: str) -> bool:
    """Whether a docstring may describe something public: nothing private on the way, but constructors."""
    parts = scope.split(".")
    return bool(scope) and all(not part.startswith("_") or part in ("__init__", "__new__") for part in parts)


def _docstring(scope: str, line: int, text: str, bound: frozenset[str]) -> Docstring:
    items: list[Item] = []
    unread: list[str] = []
    titles = []
    listed = False
    for title, body in _sections(text):
        titles.append(title.lower())
        if title.lower() in _ARGUMENTS:
            listed = True
            _read(body, items, unread)
    if not listed and _OTHER.search(text):
        listed = True
        _read_other(text, items, unread)
    broken, unknown = _examples(text, bound) if _DOCTEST in text else ("", ())
    code = "code-block" in text or "code::" in text or "::\n" in text
    return Docstring(
        scope, line, tuple(items), listed, "\n".join(unread), tuple(titles), _DOCTEST in text, code, broken, unknown
    )


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """(title, indented lines) of each ``Title:`` at the margin; what follows at the margin ends a section."""
    title, body = "", []
    for line in text.split("\n"):
        if line[:1].isspace() or not line.strip():
            body.append(line)
            continue
        if title:
            yield title, "\n".join(body)
        found = _TITLE.match(line)
        title, body = (found[1] if found else ""), []
    if title:
        yield title, "\n".join(body)


def _read(body: str, items: list[Item], unread: list[str]) -> None:
    """Items of one section; where the library gives up, item by item."""
    from docstring_parser import ParseError
    from docstring_parser.google import parse

    if not body.strip():
        return
    body = _ROLE.sub("", body)
    try:
        found = [parse(f"\nArgs:\n{body}")]
    except ParseError:
        found = []
        for part in _parts(body):
            try:
                found.append(parse(f"\nArgs:\n{part}"))
            except ParseError:
                unread.append(part)
    _take((parameter for parsed in found for parameter in parsed.params), items, unread)


def _read_other(text: str, items: list[Item], unread: list[str]) -> None:
    """Arguments of a docstring in another style."""
    from docstring_parser import ParseError, parse

    try:
        _take(parse(text).params, items, unread)
    except ParseError:
        unread.append(text)


def _take(parameters: Iterable[docstring_parser.DocstringParam], items: list[Item], unread: list[str]) -> None:
    for parameter in parameters:
        if parameter.arg_name.startswith(".. "):
            continue
        names = re.split(r"\s*(?:,|/|\band\b|\bor\b)\s*", re.sub(r"[`\\\\]", "", parameter.arg_name).strip())
        read = [_NAME.fullmatch(name.strip()) for name in names]
        if all(read):
            default = _DEFAULT.search(" ".join((parameter.description or "").split()))
            stated = default[1].strip("`").rstrip(".") if default and len(read) == 1 else ""
            items += [Item(found[1], stated) for found in read]
        else:
            unread.append(f"{parameter.arg_name}: {parameter.description or ''}")


def _parts(body: str) -> list[str]:
    lines = [line for line in body.split("\n") if line.strip()]
    margin = len(lines[0]) - len(lines[0].lstrip())
    parts: list[list[str]] = []
    for line in lines:
        if len(line) - len(line.lstrip()) <= margin or not parts:
            parts.append([])
        parts[-1].append(line)
    return ["\n".join(part) for part in parts]


def _top(body: list[ast.stmt]) -> Iterator[str]:
    """Names that a module binds, which its examples may use; "*" for what a star import brings."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
            blocks = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
            blocks += [handler.body for handler in getattr(node, "handlers", ())]
            for block in blocks:
                yield from _top(block)
        else:
            yield from _stored(walk(node))


def _examples(text: str, bound: frozenset[str]) -> tuple[str, tuple[str, ...]]:
    """Why the interactive examples of a docstring cannot be read, and the names in them that nothing defines."""
    import doctest
    import warnings

    try:
        sources = [example.source for example in doctest.DocTestParser().get_examples(text)]
    except ValueError as error:
        return str(error).replace("for <string> ", ""), ()
    statements: list[ast.stmt] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # A parse of them all costs a fraction of many, and says nothing of the one that cannot be read.
        if (whole := _parsed(sources)) is not None:
            statements = whole.body
        else:
            for source in sources:
                try:
                    statements += ast.parse(source).body
                except _UNREADABLE as error:
                    first = source.strip().split("\n")[0]
                    return f"{first!r} is no Python ({getattr(error, 'msg', 'not readable')})", ()
    nodes = [node for statement in statements for node in walk(statement)]
    known = {*_stored(nodes), *bound, *_ALWAYS}
    if "*" in known:
        return "", ()
    used = [node.id for node in nodes if type(node) is ast.Name and type(node.ctx) is ast.Load]
    return "", tuple(dict.fromkeys(name for name in used if name not in known))


def _parsed(sources: list[str]) -> ast.Module | None:
    """All examples as one module; None where one of them cannot be read by itself."""
    try:
        whole = ast.parse("".join(sources))
    except _UNREADABLE:
        return None
    ends = list(accumulate(source.count("\n") for source in sources))
    # Together they may be Python though one goes on in the next.
    alone = all(bisect_left(ends, first_line(node)) == bisect_left(ends, node.end_lineno) for node in whole.body)
    return whole if alone else None


def _stored(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Every name that nodes bind."""
    for node in nodes:
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is not ast.Load:
                yield node.id
        elif kind is ast.alias:
            yield (node.asname or node.name).partition(".")[0]
        elif kind in _BINDING and (name := getattr(node, _BINDING[kind])):
            yield name
