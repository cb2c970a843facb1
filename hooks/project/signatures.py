"""What a class takes when it is called: its effective ``__init__``, through ``**kwargs`` and up the MRO.

Parameters are followed through ``super().__init__(**kwargs)`` and ``Base.__init__(self, **kwargs)`` in C3
order, minus names that the call passes itself or fills by position; keys that a body pops count as
parameters; ``@overload`` stubs name those of an ``(*args, **kwargs)``; what a metaclass's ``__call__`` takes
is told apart; a dataclass without an ``__init__`` takes its fields.
"""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from ..facts.records import Class, Function, Parameter
from . import Project
from .bodies import body
from .keywords import Forward, Keywords, keywords
from .mro import Link, Place, mro, used

_NOTHING = ("object", "torch.nn.Module", "torch.nn.modules.module.Module")
"""Bases whose ``__init__`` takes no keyword and passes none on."""
_THROUGH = ("abc.ABC", "ABC", "typing.Generic", "Generic", "typing.Protocol", "Protocol", "collections.abc.Iterable")
"""Bases without an ``__init__`` of their own."""
_DEPTH = 12


class Argument(NamedTuple):
    """One parameter of a class.

    Args:
        kind: as in ``Parameter``: "/", "" or "k".
        default: source text; None where the parameter is required.
        origin: "own" (the class's first ``__init__``), "forwarded" (reached through ``**kwargs``), "popped"
            (a key that a body takes out), "overload", "metaclass" or "field" (of a dataclass).
        path: file that defines it, in the tree named by ``project``.
        owner: qualified name of the class that defines it.
        line: of the ``def`` (of the field, for "field").
        project: the tree of ``path``: the target's or an installed package's.
    """

    name: str
    kind: str
    default: str | None
    annotation: str
    origin: str
    path: str
    owner: str
    line: int
    project: Project


class Signature(NamedTuple):
    """What a class takes.

    Args:
        arguments: named parameters in order, without ``self``; those of a metaclass last.
        variadic: name of a ``*args`` that takes values of its own, else "".
        open: why further keywords may mean something; "" where any other is refused.
        taken: names that a call passes itself beside ``**kwargs``: a keyword of that name collides.
        first: qualified class name and parameters of the first ``__init__`` as it is written, for those
            who ask what ``inspect`` would show.
        places: (tree, path) of every file that contributed.
    """

    arguments: tuple[Argument, ...]
    variadic: str
    open: str
    taken: tuple[str, ...]
    first: tuple[str, tuple[Parameter, ...]]
    places: tuple[tuple[Project, str], ...]

    def argument(self, name: str) -> Argument | None:
        """The parameter of a name."""
        return next((item for item in self.arguments if item.name == name), None)


def signature(project: Project, path: str, record: Class) -> Signature:
    """Effective signature of a class.

    Args:
        path: file of the class, in the project's tree.
        record: the class.
    """
    key = ("signature", path, record.qualname, record.line)
    if key not in project.memo:
        project.memo[key] = _signature(project, path, record)
    return project.memo[key]


def function_signature(project: Project, path: str, function: Function) -> Signature:
    """What a plain function takes: its parameters and the keys that it takes out of its ``**kwargs``."""
    place = _Collected()
    link = Link(project, path, None, function.qualname)
    _function(place, (link,), 0, function, function.parameters, "own", _DEPTH)
    return _finished(place, (function.qualname, function.parameters), ((project, path),))


def metaclass(line: tuple[Link, ...]) -> Link | None:
    """The metaclass that the most derived class names."""
    for link in line:
        for word in link.record.keywords if link.record else ():
            name, _, value = word.partition("=")
            if name == "metaclass":
                found = used(link.project, link.path, value.strip()) if re.fullmatch(r"[\w.]+", value.strip()) else None
                if isinstance(found, Place) and isinstance(found.record, Class):
                    return Link(found.project, found.path, found.record, found.record.qualname)
                return None
    return None


def is_overload(function: Function) -> bool:
    """Whether a definition is a stub for type checkers."""
    return any(item.text.rpartition(".")[2] == "overload" for item in function.decorators)


class _Collected:
    """A signature on its way."""

    def __init__(self) -> None:
        self.arguments: dict[str, Argument] = {}
        self.taken: list[str] = []
        self.variadic = self.open = ""

    def add(
        self, link: Link, name: str, kind: str, default: str | None, annotation: str, origin: str, line: int
    ) -> None:
        self.arguments.setdefault(
            name, Argument(name, kind, default, annotation, origin, link.path, link.name, line, link.project)
        )


def _signature(project: Project, path: str, record: Class) -> Signature:
    line = mro(project, path, record)
    found = _Collected()
    first = _method(found, line, 0, "__init__", _DEPTH)
    links = list(line)
    kind = metaclass(line)
    if kind is not None:
        kinds = mro(kind.project, kind.path, kind.record)
        links += kinds
        called = _Collected()
        _method(called, kinds, 0, "__call__", _DEPTH)
        for item in called.arguments.values():
            known = found.arguments.get(item.name)
            # What a class only passes on to a base, its metaclass takes first.
            if known is None or (known.origin in ("forwarded", "popped") and item.origin == "popped"):
                found.arguments[item.name] = item._replace(kind="k", origin="metaclass")
    places = tuple(dict.fromkeys((link.project, link.path) for link in links if link.project))
    return _finished(found, first, places)


def _finished(found: _Collected, first: tuple, places: tuple) -> Signature:
    taken = tuple(name for name in dict.fromkeys(found.taken) if name not in found.arguments)
    return Signature(tuple(found.arguments.values()), found.variadic, found.open, taken, first, places)


def _method(
    found: _Collected, line: tuple[Link, ...], start: int, name: str, depth: int
) -> tuple[str, tuple[Parameter, ...]]:
    """Collects the first definition of a method from a place of the MRO on."""
    for index in range(start, len(line)):
        link = line[index]
        if _is_nothing(link):
            break
        if link.record is None:
            if link.name not in _THROUGH and name == "__init__":
                found.open = f"{link.name} cannot be read here"
                break
            continue
        defined = link.methods(name)
        real = [function for function in defined if not is_overload(function)]
        if real:
            origin = "own" if start == 0 else "forwarded"
            parameters = real[-1].parameters[1:]
            stubs = [function for function in defined if is_overload(function)]
            if stubs and all(item.kind in ("*", "**") for item in parameters):
                for stub in stubs:
                    for item in stub.parameters[1:]:
                        if item.kind not in ("*", "**"):
                            found.add(link, item.name, item.kind, item.default, item.annotation, "overload", stub.line)
            _function(found, line, index, real[-1], parameters, origin, depth)
            return link.name, parameters
        if name == "__init__" and _is_dataclass(link.record):
            _fields(found, line[index:])
            return link.name, ()
    return "", ()


def _is_nothing(link: Link) -> bool:
    return link.name in _NOTHING or (link.name == "Module" and link.path == "torch/nn/modules/module.py")


def _function(
    found: _Collected,
    line: tuple[Link, ...],
    index: int,
    function: Function,
    parameters: tuple[Parameter, ...],
    origin: str,
    depth: int,
) -> None:
    link = line[index]
    rest = next((item.name for item in parameters if item.kind == "**"), "")
    for item in parameters:
        if item.kind == "*":
            found.variadic = found.variadic or item.name
        elif item.kind != "**":
            found.add(link, item.name, item.kind, item.default, item.annotation, origin, function.line)
    tree = body(link.project, link.path, function) if rest else None
    if not rest:
        return
    if tree is None or depth <= 0:
        found.open = found.open or f"{function.qualname} cannot be followed"
        return
    uses = keywords(tree, rest)
    # A metaclass that only looks at a key leaves it to the class.
    popping = function.name == "__call__"
    _keys(found, link, function, uses, popping)
    if uses.escapes:
        found.open = found.open or f"{function.qualname} uses **{rest} as data"
    followed = False
    for forward in uses.forwards:
        if forward.position is not None:
            if not _helper(found, line, link, function, forward, depth - 1):
                found.open = found.open or f"{function.qualname} uses **{rest} as data"
            continue
        followed = True
        target = _target(line, index, forward)
        if target is None:
            found.open = found.open or f"{function.qualname} passes **{rest} to {ast.unparse(forward.callee)}"
        else:
            _forwarded(found, line, target, forward, function.name, depth - 1)
    if not (followed or uses.escapes or uses.refused):
        found.open = found.open or f"{function.qualname} lets what is left of **{rest} vanish"


def _keys(found: _Collected, link: Link, function: Function, uses: Keywords, popping: bool) -> None:
    for key, default in uses.read.items():
        if popping and key not in uses.popped:
            continue
        known = found.arguments.get(key)
        text = ast.unparse(default) if default is not None else None
        if known is None:
            found.add(link, key, "k", text, "", "popped", function.line)
        elif known.origin == "overload" and known.default == "..." and text is not None:
            found.arguments[key] = known._replace(default=text)


def _helper(
    found: _Collected, line: tuple[Link, ...], link: Link, function: Function, forward: Forward, depth: int
) -> bool:
    """``helper(kwargs)`` and ``self.helper(kwargs)``: keys that the helper takes out; whether it is known."""
    callee, position = forward.callee, forward.position
    if isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name) and callee.value.id in ("self", "cls"):
        found_in = next(((base, base.methods(callee.attr)[-1]) for base in line if base.methods(callee.attr)), None)
        position += 1
    else:
        text = ast.unparse(callee)
        place = used(link.project, link.path, text, function.qualname) if re.fullmatch(r"[\w.]+", text) else None
        is_function = isinstance(place, Place) and isinstance(place.record, Function)
        found_in = (Link(place.project, place.path, None, place.record.qualname), place.record) if is_function else None
    if found_in is None or depth <= 0:
        return False
    where, helper = found_in
    plain = [item for item in helper.parameters if item.kind in ("/", "")]
    tree = body(where.project, where.path, helper) if position < len(plain) else None
    if tree is not None:
        _keys(found, where, helper, keywords(tree, plain[position].name), function.name == "__call__")
    return tree is not None


def _target(line: tuple[Link, ...], index: int, forward: Forward) -> int | None:
    """Place in the MRO where ``super().__init__`` or ``Base.__init__`` goes on."""
    callee = forward.callee
    if not isinstance(callee, ast.Attribute) or callee.attr not in ("__init__", "__call__"):
        return None
    if (
        isinstance(callee.value, ast.Call)
        and isinstance(callee.value.func, ast.Name)
        and callee.value.func.id == "super"
    ):
        if callee.value.args and isinstance(callee.value.args[0], ast.Name):
            name = callee.value.args[0].id
            return next((at + 1 for at in range(len(line)) if line[at].name.rpartition(".")[2] == name), index + 1)
        return index + 1
    name = ast.unparse(callee.value).rpartition(".")[2]
    return next((at for at in range(index, len(line)) if line[at].name.rpartition(".")[2] == name), None)


def _forwarded(
    found: _Collected, line: tuple[Link, ...], start: int, forward: Forward, method: str, depth: int
) -> None:
    inner = _Collected()
    _method(inner, line, start, method, depth)
    positional = forward.positional - (not _is_super(forward))
    filled = [item.name for item in inner.arguments.values() if item.kind in ("/", "")][: max(positional, 0)]
    hidden = {*filled, *forward.keywords}
    for name, item in inner.arguments.items():
        if name not in hidden and item.kind != "/":
            origin = "popped" if item.origin == "popped" else "forwarded"
            found.arguments.setdefault(name, item._replace(kind="k", origin=origin))
    found.taken += [*forward.keywords, *inner.taken]
    found.open = found.open or inner.open
    if forward.star:
        found.variadic = found.variadic or inner.variadic


def _is_super(forward: Forward) -> bool:
    return isinstance(forward.callee, ast.Attribute) and isinstance(forward.callee.value, ast.Call)


def _is_dataclass(record: Class) -> bool:
    return any(
        item.text.partition("(")[0].rpartition(".")[2] in ("dataclass", "tensorclass") for item in record.decorators
    )


def _fields(found: _Collected, line: tuple[Link, ...]) -> None:
    """Parameters of a dataclass: base fields first, a later declaration keeps the place of the first."""
    for link in reversed(line):
        if link.record is None or not _is_dataclass(link.record):
            continue
        if any("tensorclass" in item.text for item in link.record.decorators):
            found.open = "a tensorclass takes what its base takes, too"
        keyword_only = any("kw_only=True" in item.text.replace(" ", "") for item in link.record.decorators)
        for item in class_fields(link.project, link.path, link.record):
            if item.annotation.rpartition(".")[2] == "KW_ONLY":
                keyword_only = True
                continue
            default, given = field_default(item.value)
            if not given:
                found.arguments.pop(item.name, None)
                continue
            argument = Argument(
                item.name,
                "k" if keyword_only or "kw_only=True" in item.value.replace(" ", "") else "",
                default,
                item.annotation,
                "field",
                link.path,
                link.name,
                item.line,
                link.project,
            )
            found.arguments[item.name] = argument


def class_fields(project: Project, path: str, record: Class) -> list:
    """Annotated assignments of a class body, the last of each name, in the order of the first."""
    key = ("fields", path)
    if key not in project.memo:
        by_class: dict[str, dict] = {}
        module = project.module(path)
        for item in module.assigns if module else ():
            if item.scope and item.annotation and "ClassVar" not in item.annotation:
                by_class.setdefault(item.scope, {})[item.name] = item
        project.memo[key] = by_class
    return list(project.memo[key].get(record.qualname, {}).values())


def field_default(value: str) -> tuple[str | None, bool]:
    """Default of a dataclass field as source text (None: required), and whether ``__init__`` takes the field."""
    if not value.startswith(("field(", "dataclasses.field(")):
        return (value or None), True
    from .worlds import parse

    call = parse(value)
    words = {word.arg: word.value for word in call.keywords} if isinstance(call, ast.Call) else {}
    given = not (isinstance(words.get("init"), ast.Constant) and words["init"].value is False)
    if "default" in words:
        return ast.unparse(words["default"]), given
    return (value if "default_factory" in words else None), given
