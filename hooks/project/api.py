"""What one tree's public API has that another's has not: names, methods and parameters gone, defaults and positions changed."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple

from ..facts.records import Class, Function
from . import Project
from .bodies import body
from .defaults import amounts_to, differ
from .mro import Link, Place, methods, mro
from .names import Definition
from .public import find, paths_of, place, public
from .signatures import Argument, Signature, function_signature, is_overload, metaclass, signature
from .surface import lacking

_PROPERTIES = ("property", "setter", "getter", "deleter", "cached_property", "classproperty")
_ALIKE = 0.7
_BARE = ("object", "ABC", "Generic", "Protocol", "Enum", "IntEnum", "StrEnum", "Module")


class Break(NamedTuple):
    """One thing that a user's code may rely on and that is no longer so.

    Args:
        kind: "name", "method", "member" (of an enumeration), "parameter" (gone), "required" (had a
            default), "default" or "positional".
        public: shortest public path of the name or its owner.
        symbol: as reports name it: the public path of a name, ``Class.method``, ``Class.kwarg``,
            ``Class.method.kwarg`` or ``function.kwarg``.
        member: the symbol without its owner.
        old: the definition, of the owner if the break is within it.
        where: file and line of it in the old tree: the export of a name, else the definition.
        here: file and line in the new tree; None where nothing is left.
        was, now: source of the two defaults; for others, words.
        certain: whether the two defaults certainly differ.
    """

    kind: str
    public: str
    symbol: str
    member: str
    old: Definition
    where: tuple[str, int]
    here: tuple[str, int] | None
    was: str = ""
    now: str = ""
    certain: bool = True


def compare(old: Project, new: Project, paths: Iterable[str] | None = None) -> list[Break]:
    """Breaks from one tree to another, by public path.

    Args:
        paths: only these public paths of the old tree; all that can differ when None.
    """
    touched = lacking(old, new)
    if paths is None and not touched:
        return []
    found: list[Break] = []
    seen: set[tuple] = set()
    exports = public(old)
    chosen = sorted(exports if paths is None else exports.keys() & set(paths), key=lambda path: (path.count("."), path))
    for path in chosen:
        meant = exports[path]
        now = find(new, path)
        name = path.rpartition(".")[2]
        if now is None:
            # The same thing under two paths is reported once, under the shorter.
            if (key := (meant.path, meant.name, name)) not in seen:
                seen.add(key)
                found.append(_gone(old, path, meant))
            continue
        here, there = place(old, meant), place(new, now)
        if here is None or there is None or (key := (meant.path, meant.name, now.path, now.name)) in seen:
            continue
        seen.add(key)
        if paths is not None or now[:2] != meant[:2] or _touches(touched, here):
            found += _Pair(path, meant, here, there).breaks()
    return found


def exporter(path: str) -> str:
    """The ``__init__`` that a public path is exported by."""
    return "/".join([*path.split(".")[:-1], "__init__.py"])


def _touches(names: set[tuple[str, str]], here: Place) -> bool:
    """Whether a class or function lacks something, or a base that has no entry of its own."""
    if (here.path, here.record.qualname.partition(".")[0]) in names:
        return True
    return isinstance(here.record, Class) and any(
        link.project is here.project
        and (link.path, link.name.partition(".")[0]) in names
        and (link.path, link.name) not in paths_of(here.project)
        for link in (*mro(*here), *_kinds(here))
    )


def _kinds(here: Place) -> tuple[Link, ...]:
    kind = metaclass(mro(*here))
    return mro(kind.project, kind.path, kind.record) if kind else ()


def _gone(old: Project, path: str, meant: Definition) -> Break:
    home, name = exporter(path), path.rpartition(".")[2]
    return Break("name", path, path, name, meant, (home, _export_line(old, home, name)), None)


def _export_line(project: Project, path: str, name: str) -> int:
    module = project.module(path)
    for item in module.imports if module else ():
        if item.bound == name and not item.scope:
            return _line_of(project, path, name, item.line, item.end_line)
    for item in (*module.assigns, *module.functions, *module.classes) if module else ():
        if item.name == name and not getattr(item, "scope", ""):
            return item.line
    for item in module.assigns if module else ():
        if item.name == "__all__":
            return _line_of(project, path, name, item.line, item.end_line)
    return 1


def _line_of(project: Project, path: str, name: str, first: int, last: int) -> int:
    """The line of a statement of several that has the name."""
    lines = (project.text(path) or "").splitlines()[first - 1 : last] if last > first else []
    word = re.compile(rf"\b{re.escape(name)}\b")
    return first + next((index for index, line in enumerate(lines) if word.search(line.partition("#")[0])), 0)


class _Pair:
    """The same public path in two trees, as two classes or two functions.

    Args:
        path: the public path.
        meant: its definition in the old tree.
    """

    def __init__(self, path: str, meant: Definition, here: Place, there: Place) -> None:
        self.path = path
        self.name = path.rpartition(".")[2]
        self.meant = meant
        self.here = here
        self.there = there

    def breaks(self) -> Iterator[Break]:
        here, there = self.here, self.there
        if isinstance(here.record, Class) and isinstance(there.record, Class):
            yield from self.call(self.name, signature(*here), signature(*there), (there.path, there.record.line))
            yield from self.methods()
            yield from self.members()
        elif isinstance(here.record, Function) and isinstance(there.record, Function):
            old, new = (_last(side) for side in (here, there))
            yield from self.call(self.name, _taken(here, old), _taken(there, new), (there.path, new.line))

    def make(self, kind: str, symbol: str, where: tuple[str, int], here: tuple[str, int] | None, **more: Any) -> Break:
        return Break(kind, self.path, symbol, symbol.partition(".")[2], self.meant, where, here, **more)

    def is_own(self, path: str, owner: str) -> bool:
        """Whether what a definition brings hangs on this path, and not on the entry of a public base."""
        return (path, owner) == (self.here.path, self.here.record.qualname) or (path, owner) not in paths_of(
            self.here.project
        )

    def counts(self, item: Argument) -> bool:
        """Whether a parameter is one that users were given, here."""
        owner = item.owner if isinstance(self.here.record, Class) else self.here.record.qualname
        return not item.name.startswith("_") and item.origin != "popped" and self.is_own(item.path, owner)

    def methods(self) -> Iterator[Break]:
        after = mro(*self.there)
        if any(link.methods("__getattr__") for link in after):
            return
        unread = any(not _known(link) for link in after)
        done: set[str] = set()
        for link in mro(*self.here):
            if link.project is not self.here.project or not self.is_own(link.path, link.name):
                continue
            for function in _own_methods(link):
                called = function.name
                if called in done or (called.startswith("_") and called != "__call__"):
                    continue
                done.add(called)
                home = next((other for other in after if other.methods(called)), None)
                if home is not None:
                    yield from self.method(link, home, called)
                elif not unread and not _assigned(after, called):
                    yield self.make("method", f"{self.name}.{called}", (link.path, function.line), None)

    def method(self, link: Link, home: Link, called: str) -> Iterator[Break]:
        old, new = ([item for item in side.methods(called) if not is_overload(item)] for side in (link, home))
        if old and new and not (_is_property(old[-1]) or _is_property(new[-1]) or _is_refused(link, old[-1])):
            before = _taken(Place(link.project, link.path, old[-1]), old[-1])
            after = _taken(Place(home.project, home.path, new[-1]), new[-1])
            yield from self.call(f"{self.name}.{called}", before, after, (home.path, new[-1].line), plain=True)

    def members(self) -> Iterator[Break]:
        """Members of an enumeration."""
        here, there = self.here, self.there
        if any(link.name.rpartition(".")[2] in ("Enum", "IntEnum", "StrEnum") for link in mro(*here)):
            now = {
                item.name for item in there.project.module(there.path).assigns if item.scope == there.record.qualname
            }
            for item in here.project.module(here.path).assigns:
                if item.scope == here.record.qualname and not item.name.startswith("_") and item.name not in now:
                    yield self.make("member", f"{self.name}.{item.name}", (here.path, item.line), None)

    def call(
        self, name: str, old: Signature, new: Signature, position: tuple[str, int], plain: bool = False
    ) -> Iterator[Break]:
        """Breaks between two signatures.

        Args:
            name: of the symbol before the parameter's.
            position: of the new definition.
            plain: of a method, whose parameters are its own whoever owns it.
        """
        counts = _is_given if plain else self.counts
        after = {item.name: item for item in new.arguments}
        for item in old.arguments:
            if not counts(item):
                continue
            symbol, where, now = f"{name}.{item.name}", (item.path, item.line), after.get(item.name)
            if now is None:
                # Positional-only names are nobody's to write; what **kwargs hands on is accepted, unless
                # a new parameter shows what it is called now.
                if item.kind != "/" and (not new.open or new.open.endswith(" vanish") or _renamed(item, old, new)):
                    yield self.make("parameter", symbol, where, position)
                continue
            spot = (now.path, now.line) if now.project is self.there.project else position
            if item.default is None or now.origin == "popped":
                continue
            if now.default is None:
                yield self.make("required", symbol, where, spot, was=item.default, now="required")
            elif (certain := differ(item, now)) is not None and (certain or not self.configured(item)):
                yield self.make("default", symbol, where, spot, was=item.default, now=now.default, certain=certain)
        if not new.variadic:
            yield from self.positions(
                name, [item for item in old.arguments if item.kind in ("/", "")], new, position, counts
            )

    def configured(self, item: Argument) -> bool:
        """For a Config's field that is left unset now: whether the class that it configures has the old value."""
        wanted = self.name.removesuffix("Config")
        if wanted == self.name or item.origin != "field":
            return False
        found = next(
            (meant for path, meant in public(self.there.project).items() if path.rpartition(".")[2] == wanted), None
        )
        target = place(self.there.project, found)
        argument = signature(*target).argument(item.name) if target and isinstance(target.record, Class) else None
        return argument is not None and amounts_to(argument, item)

    def positions(
        self,
        name: str,
        old: list[Argument],
        new: Signature,
        position: tuple[str, int],
        counts: Callable[[Argument], bool],
    ) -> Iterator[Break]:
        after = {item.name: item for item in new.arguments}
        # Nobody builds a Config by position, and fields are sorted into place all the time.
        old = [item for item in old if item.origin != "field"]
        # What is taken out of **kwargs had its place filled by a successor.
        moved = [
            item
            for item in old
            if item.kind == ""
            and item.name in after
            and after[item.name].kind == "k"
            and after[item.name].origin != "popped"
        ]
        for item in moved:
            if counts(item):
                yield self.make(
                    "positional",
                    f"{name}.{item.name}",
                    (item.path, item.line),
                    position,
                    was="by position",
                    now="by keyword only",
                )
        if any(item.name not in after or after[item.name].kind == "k" for item in old):
            return
        placed = [item for item in new.arguments if item.kind in ("/", "")]
        for item, now in zip(old, placed, strict=False):
            if item.name != now.name:
                if counts(item):
                    yield self.make(
                        "positional",
                        f"{name}.{item.name}",
                        (item.path, item.line),
                        position,
                        was=item.name,
                        now=now.name,
                    )
                return


def _renamed(item: Argument, old: Signature, new: Signature) -> bool:
    known = {other.name for other in old.arguments}
    added = [other.name for other in new.arguments if other.name not in known and other.origin == "own"]
    return "super()" not in new.open and bool(get_close_matches(item.name, added, 1, _ALIKE))


def _is_given(item: Argument) -> bool:
    return not item.name.startswith("_") and item.origin != "popped"


def _last(place: Place) -> Function:
    real = [item for item in methods(place.project, place.path).get(place.record.qualname, ()) if not is_overload(item)]
    return real[-1] if real else place.record


def _taken(place: Place, function: Function) -> Signature:
    """What a call passes: the object of a method is not."""
    found = function_signature(place.project, place.path, function)
    module = place.project.module(place.path)
    method = any(item.qualname == function.qualname.rpartition(".")[0] for item in module.classes)
    static = any(item.text == "staticmethod" for item in function.decorators)
    return found._replace(arguments=found.arguments[1:]) if method and not static else found


def _own_methods(link: Link) -> list[Function]:
    """Functions of a class body, the last of each name, in the order of the file."""
    return [
        defined[-1]
        for qualname, defined in methods(link.project, link.path).items()
        if qualname.rpartition(".")[0] == link.name
    ]


def _known(link: Link) -> bool:
    """Whether a base can be read, or has no public methods to inherit."""
    return link.record is not None or link.name.rpartition(".")[2] in _BARE


def _assigned(line: tuple[Link, ...], name: str) -> bool:
    """Whether a class body binds the name by assignment: ``old = new``, ``old = property(...)``."""
    return any(
        item.name == name and item.scope == link.name
        for link in line
        if link.project and (module := link.project.module(link.path))
        for item in module.assigns
    )


def _is_refused(link: Link, function: Function) -> bool:
    """Whether a method of a concrete class only says that it is not there."""
    tree = body(link.project, link.path, function)
    last = tree.body[-1] if tree else None
    abstract = any("abstract" in item.text for item in function.decorators)
    return (
        not abstract
        and isinstance(last, ast.Raise)
        and last is tree.body[len(tree.body) > 1 and function.doc is not None]
    )


def _is_property(function: Function) -> bool:
    return any(item.text.partition("(")[0].rpartition(".")[2] in _PROPERTIES for item in function.decorators)
