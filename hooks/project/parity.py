"""Where a Config and the class behind it differ: fields missing, unknown, dropped, and defaults."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ..facts.records import Class, Function
from ..facts.source import walk
from . import Project
from .bodies import body, docstring, source
from .configs import HYDRA, Config, Field, classes, configs_of, is_abstract, is_nested_helper, target
from .factories import Build, Condition, Factory, Way, factory
from .fallbacks import fallback
from .installed import version
from .keywords import is_name
from .mro import Link, Place, mro
from .signatures import Argument, Signature, metaclass, signature
from .values import NONE, UNSET, Value, same, show, value_of

_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"DeprecationWarning|FutureWarning")


class Difference(NamedTuple):
    """One thing in which a Config and its class differ.

    Args:
        kind: "missing", "unknown", "differs" or "dropped".
        name: the field or the class's parameter.
        text: what tells it from another difference of the same name, wherever it stands.
        argument: the parameter of the class, if there is one.
        factory: the function between the two, if there is one.
    """

    kind: str
    name: str
    severity: str
    message: str
    hint: str
    text: str
    argument: Argument | None
    factory: Place | None


class _View(NamedTuple):
    """One class that a Config's fields may reach, on one way.

    Args:
        way: None where the target is the class itself.
        build: the call that makes the object; None with ``way``.
        default: the way that a Config without overrides takes.
        label: the way for people, "" where there is only one.
    """

    place: Place
    signature: Signature
    way: Way | None
    build: Build | None
    default: bool
    label: str


def differences(project: Project, config: Config) -> tuple[Difference, ...]:
    """All differences of one Config; none where it names no class, or one that cannot be read here."""
    key = ("parity", config.path, config.name, config.record.line)
    if key not in project.memo:
        project.memo[key] = tuple(_differences(project, config))
    return project.memo[key]


def _differences(project: Project, config: Config) -> Iterator[Difference]:
    place = target(project, config) if config.target else None
    if not isinstance(place, Place):
        return
    made = factory(place) if isinstance(place.record, Function) else None
    views = list(_views(project, config, place, made))
    between = place if made else None
    judge = _Judge(project, config, views, made, between)
    yield from judge.missing()
    yield from judge.unknown()
    yield from judge.dropped()
    yield from judge.differs()


def _views(project: Project, config: Config, place: Place, made: Factory | None) -> Iterator[_View]:
    if made is None:
        yield _View(place, signature(*place), None, None, True, "")
        return
    several = len(classes(project, config)) > 1
    for way in made.ways:
        if way.result and isinstance(way.result.target, Place) and isinstance(way.result.target.record, Class):
            found = way.result.target
            yield _View(
                found,
                signature(*found),
                way,
                way.result,
                _is_default(project, config, way),
                _label(way) if several else "",
            )


def _is_default(project: Project, config: Config, way: Way) -> bool:
    return all(_holds(project, config, item) is not False for item in way.conditions)


def _holds(project: Project, config: Config, condition: Condition) -> bool | None:
    field = config.field(condition.key)
    value = _config_value(project, config, field) if field else None
    if value is None or value.kind != "literal":
        return None
    found = bool(value.value) if condition.op == "true" else value.value == condition.value
    return found == condition.holds


def _label(way: Way) -> str:
    """``discrete=True``; of an else-if chain only the test that holds."""
    told = [item for item in way.conditions if item.key]
    chosen = [item for item in told if item.holds and item.op == "=="] or told
    words = [
        f"{item.key}={item.value!r}" if item.op == "==" and item.holds else f"{item.key}={item.holds}"
        for item in chosen
    ]
    return ", ".join(words)


def _config_value(project: Project, config: Config, field: Field) -> Value:
    return value_of(project, field.path, field.value, field.owner)


class _Judge:
    """The differences of one Config, one method a kind."""

    def __init__(
        self, project: Project, config: Config, views: list[_View], made: Factory | None, between: Place | None
    ) -> None:
        self.project = project
        self.config = config
        self.views = views
        self.made = made
        self.between = between
        self.fields = {item.name: item for item in config.fields if item.name not in HYDRA}
        # The name of the package that the class is from, where it is not the target's own.
        self.package = views[0].place.path.partition("/")[0] if views and views[0].place.project is not project else ""

    def found(
        self, kind: str, name: str, severity: str, message: str, hint: str, text: str, argument: Argument | None = None
    ) -> Difference:
        if self.package and kind != "dropped":
            message += f" (as of {version(self.views[0].place.project)}, installed here)"
        return Difference(kind, name, severity, message, hint, text, argument, self.between)

    # Parameters without a field

    def missing(self) -> Iterator[Difference]:
        seen: set[str] = set()
        for view in sorted(self.views, key=lambda view: not view.default):
            if view.build and not view.build.rest and not view.build.passed:
                continue
            first = next((item.name for item in view.signature.arguments if item.kind in ("/", "")), None)
            for argument in view.signature.arguments:
                name = argument.name
                if name in self.fields or name in seen or (self.config.partial and name == first):
                    continue
                if self.filled(view, name) or _is_internal(view, argument):
                    continue
                seen.add(name)
                yield self.missing_one(view, argument)

    def missing_one(self, view: _View, argument: Argument) -> Difference:
        cls, name = view.place.record.name, argument.name
        through = (
            f", which it takes through **kwargs of {argument.owner}" if argument.owner.rpartition(".")[2] != cls else ""
        )
        also = f" when {view.label}" if view.label else ""
        advisory = (
            argument.origin == "metaclass" or is_abstract(view.place) or is_nested_helper(self.project, self.config)
        )
        severity = "advisory" if advisory or self.package == "torch" else "warning" if self.package else "error"
        needed = (
            " and is required" if argument.default is None and argument.origin not in ("popped", "metaclass") else ""
        )
        unsent = view.build is not None and not view.build.rest and name not in view.build.passed
        steps = f"add the field {name} with the default {show(argument.default)}"
        if unsent:
            steps += f", pop it in {self.between.record.name} and pass {name}={name} to {cls}"
        return self.found(
            "missing",
            name,
            severity,
            f"{cls}.{name}{through}{needed}, has no field here: Hydra users cannot set it{also}"
            if through or needed
            else f"{cls} takes {name}, and there is no field of that name: Hydra users cannot set it{also}",
            steps[0].upper() + steps[1:] + ".",
            f"{cls}({name})",
            argument,
        )

    def filled(self, view: _View, name: str) -> bool:
        """Whether the factory fills a parameter from something else than a field of its name."""
        if view.build is None:
            return False
        if name in view.build.passed:
            return name not in view.build.passed[name]
        plain = [item.name for item in view.signature.arguments if item.kind in ("/", "")]
        return name in plain[: len(view.build.positional)]

    # Fields that nothing takes

    def unknown(self) -> Iterator[Difference]:
        for field in self.fields.values():
            refused = [problem for problem in (self.refused(way, field.name) for way in self.ways()) if problem]
            if not refused:
                continue
            default = any(way_default for _, way_default, _ in refused)
            reasons = list(dict.fromkeys(reason for reason, _, _ in refused))
            end = "a Config with its defaults cannot be instantiated" if default else "TypeError once it is chosen"
            yield self.found(
                "unknown",
                field.name,
                "warning" if self.package else "error",
                f"{'; '.join(reasons)}: {end}",
                self.unknown_hint(field.name, refused[0][2]),
                f"{refused[0][2]}({field.name})",
            )

    def ways(self) -> list[Way | None]:
        return list(self.made.ways) if self.made else [None]

    def refused(self, way: Way | None, name: str) -> tuple[str, bool, str] | None:
        """(why, on the default way, class) where a field ends in an unexpected keyword."""
        if way is None:
            why = _refuses(self.views[0].place, self.views[0].signature, name, self.default_given(name))
            return (why, True, self.views[0].place.record.name) if why else None
        parameters = self.between.record.parameters
        if not any(item.kind == "**" for item in parameters):
            cls = self.between.record.name
            return None if any(item.name == name for item in parameters) else (f"{cls} takes no {name}", True, cls)
        for build in way.builds:
            if build.rest and name not in build.removed and not way.open and isinstance(build.target, Place):
                why = _build_refuses(build, name)
                if why:
                    label = _label(way)
                    why = f"{self.between.record.name} passes it on{' with ' + label if label else ''}, and {why}"
                    return why, _is_default(self.project, self.config, way), build.target.record.name
        return None

    def default_given(self, name: str) -> bool:
        field = self.fields[name]
        return _config_value(self.project, self.config, field).kind != "required"

    def unknown_hint(self, name: str, cls: str) -> str:
        takers = [view for view in self.views if view.signature.argument(name) and view.place.record.name != cls]
        if takers:
            return f"Pop {name} in {self.between.record.name} before {cls} is called; only {takers[0].place.record.name} takes it."
        if self.made:
            return f"Remove the field, or pop {name} in {self.between.record.name} and use it there."
        return "Remove the field, or rename it to the parameter that it stands for."

    # Fields that a factory lets vanish

    def dropped(self) -> Iterator[Difference]:
        ways = [way for way in self.ways() if way is not None]
        if not ways or any(way.open for way in ways):
            return
        closed = any(item.kind == "**" for item in self.between.record.parameters)
        name = self.between.record.name
        for key in self.fields:
            if closed and (
                lost := [way for way in ways if key not in way.removed and not any(build.rest for build in way.builds)]
            ):
                yield self.dropped_one(
                    key, "error", f"{name} neither pops it nor passes **kwargs on", "never popped", lost, ways
                )
                continue
            gone = [way for way in ways if key in way.discarded]
            used = [way for way in ways if key not in way.discarded]
            wanting = [way for way in gone if (view := self.view(way)) and view.signature.argument(key)]
            if wanting:
                takers = dict.fromkeys(way.result.target.record.name for way in wanting)
                verb = "takes" if len(takers) == 1 else "take"
                yield self.dropped_one(
                    key,
                    "error",
                    f"{name} throws it away although {' and '.join(takers)} {verb} it",
                    "thrown away",
                    wanting,
                    ways,
                )
            elif gone and not used:
                severity = "error" if self.read_by_others(key) else "warning"
                yield self.dropped_one(key, severity, f"{name} pops it and throws it away", "thrown away", gone, ways)
            elif all(key in way.removed and key not in way.read for way in ways):
                severity = "warning" if any(key in way.deleted for way in ways) else "error"
                yield self.dropped_one(key, severity, f"{name} pops it and never looks at it", "never read", ways, ways)

    def dropped_one(self, key: str, severity: str, why: str, text: str, lost: list[Way], ways: list[Way]) -> Difference:
        labels = list(dict.fromkeys(filter(None, map(_label, lost)))) if len(lost) < len(ways) else []
        where = f" with {' and with '.join(labels)}" if labels else ""
        return self.found(
            "dropped",
            key,
            severity,
            f"{why}{where}: setting it does nothing",
            f"Use {key} in {self.between.record.name}, or remove the field.",
            f"{self.between.record.name}({key}) {text}",
            next((view.signature.argument(key) for view in self.views), None),
        )

    def view(self, way: Way) -> _View | None:
        return next((view for view in self.views if view.way is way), None)

    def read_by_others(self, key: str) -> bool:
        """Whether another factory of the file looks at a field of that name; if none does, it is a placeholder."""
        for other in configs_of(self.project, self.config.path):
            place = target(self.project, other) if other.target and other.field(key) else None
            if isinstance(place, Place) and isinstance(place.record, Function):
                if any(
                    key in way.read or (key not in way.removed and any(build.rest for build in way.builds))
                    for way in factory(place).ways
                ):
                    return True
        return False

    # Defaults

    def differs(self) -> Iterator[Difference]:
        filled = _filled_after(self.project, self.config)
        for field in self.fields.values():
            view = self.reached(field.name)
            if view is None or field.name in filled:
                continue
            argument = view.signature.argument(field.name)
            if self.config.partial and argument is next(
                (item for item in view.signature.arguments if item.kind in ("/", "")), None
            ):
                continue
            yield from self.compare(field, view, argument)
        for name, default in (self.made.defaults if self.made else {}).items():
            field = self.fields.get(name)
            if field is None or default is None:
                continue
            left = _config_value(self.project, self.config, field)
            right = value_of(self.between.project, self.between.path, default, self.between.record.qualname)
            if left.kind != "required" and right != NONE and same(left, right) is False and self.reached(name) is None:
                yield self.found(
                    "differs",
                    name,
                    "advisory",
                    f"the default is {show(field.value)} here and {show(default)} in {self.between.record.name}",
                    "Make the two defaults the same.",
                    f"{self.between.record.name}({name}) {show(field.value)} {show(default)}",
                )

    def reached(self, name: str) -> _View | None:
        """The view whose class gets a field under its own name, the default way first."""
        for view in sorted(self.views, key=lambda view: not view.default):
            if view.signature.argument(name) is None:
                continue
            if view.build is None or (view.build.rest and (name not in view.build.removed or name in view.build.added)):
                return view
            if name in view.build.passed.get(name, ()):
                return view
        return None

    def compare(self, field: Field, view: _View, argument: Argument) -> Iterator[Difference]:
        left = _config_value(self.project, self.config, field)
        right = value_of(argument.project, argument.path, argument.default, argument.owner)
        cls, name = view.place.record.name, field.name
        severity = ""
        default = show(argument.default)
        if view.build is not None and field.name in view.build.added and left == NONE:
            return  # The factory passes it on only where it is given.
        if UNSET in (left, right) or argument.origin == "overload" and argument.default is None:
            return
        if right.kind == "required":
            # None, MISSING and nothing all say that there is no default.
            if (
                left.kind not in ("required", "unknown")
                and left != NONE
                and not (left.kind == "literal" and not left.value)
            ):
                severity, message = (
                    "advisory",
                    f"{cls} requires {name} and the field invents the default {show(field.value)}",
                )
        elif left.kind == "required":
            if right.kind != "unknown":
                severity, message = "advisory", f"{name} is mandatory here, and {cls} has the default {default}"
        elif same(left, right) is False:
            if right == NONE and (inner := fallback(view.place, argument)) is not None:
                if same(left, inner):
                    return
            severity, message = (
                self.how_far(field, view, left, right),
                f"the default is {show(field.value)} here and {default} in {cls}",
            )
        if severity:
            yield self.found(
                "differs",
                name,
                severity,
                message,
                f"Give the field the default of {cls}: {default}.",
                f"{cls}({name}) {show(field.value)} {default}",
                argument,
            )

    def how_far(self, field: Field, view: _View, left: Value, right: Value) -> str:
        argument = view.signature.argument(field.name)
        if argument.origin == "metaclass":
            return "advisory"
        if field.name == "device" and left.value == "cpu" and right == NONE and _is_env(view.place):
            return "warning"
        return "error"


def _build_refuses(build: Build, name: str) -> str:
    place = build.target
    if isinstance(place.record, Class):
        if name in build.passed:
            return f"{place.record.name} is given {name} twice"
        return _refuses(place, signature(*place), name, True)
    return ""


def _refuses(place: Place, found: Signature, name: str, given: bool) -> str:
    """Why a class does not take a keyword, "" where it does or where that cannot be told."""
    cls = place.record.name
    if found.argument(name) is not None and found.argument(name).kind != "/":
        return ""
    if name in found.taken:
        return f"{cls} passes {name} on itself beside **kwargs, so it collides"
    if found.open.endswith(" as data") and place.record.doc and given and not _documents(place, name):
        return f"{cls} takes {name} for data: it documents no such argument" if _is_data(place, found) else ""
    if found.open:
        return ""
    return f"{cls} takes *{name}, which no keyword reaches" if name == found.variadic else f"{cls} takes no {name}"


def _is_data(place: Place, found: Signature) -> bool:
    """Whether a class keeps ``**kwargs`` as it is, and hands it to nobody who could give keys a meaning."""
    owner = found.open.partition(".__init__")[0]
    link = next((item for item in mro(*place) if item.name == owner), None)
    defined = link.methods("__init__") if link else []
    rest = next((item.name for item in defined[-1].parameters if item.kind == "**"), "") if defined else ""
    tree = body(link.project, link.path, defined[-1]) if rest else None
    handed = [
        word.value for node in walk(tree) if isinstance(node, ast.Call) for word in node.keywords if word.arg is None
    ]
    handed += [
        value
        for node in walk(tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values)
        if key is None
    ]
    return tree is not None and not any(is_name(value, rest) for value in handed)


def _documents(place: Place, name: str) -> bool:
    key = ("words", place.path, place.record.qualname, place.record.line)
    memo = place.project.memo
    if key not in memo:
        memo[key] = frozenset(_WORD.findall(docstring(place.project, place.path, place.record)))
    return name in memo[key]


def _is_internal(view: _View, argument: Argument) -> bool:
    """Parameters that nobody is meant to set."""
    name = argument.name
    if name.startswith("_"):
        return True
    if name == "env" and argument.origin == "forwarded":
        return True  # What an environment builds itself and hands to its wrapper class.
    if argument.origin in ("popped", "metaclass") and not (
        _documents(view.place, name) or _owner_documents(view.place, argument)
    ):
        return True
    return is_deprecated(view.place, argument)


def _owner_documents(place: Place, argument: Argument) -> bool:
    link = _owner(place, argument)
    return (
        argument.origin == "popped"
        and link is not None
        and _documents(Place(link.project, link.path, link.record), argument.name)
    )


def _owner(place: Place, argument: Argument) -> Link | None:
    return next(
        (link for link in mro(*place) if link.name == argument.owner and link.path == argument.path and link.record),
        None,
    )


def is_deprecated(place: Place, argument: Argument) -> bool:
    """Whether the body that takes a parameter, or the metaclass before it, warns of its end by name."""
    owner = [item for item in argument.project.module(argument.path).functions if item.line == argument.line]
    if owner and _warns_of(argument.project, argument.path, owner[0], argument.name):
        return True
    kind = metaclass(mro(*place)) if isinstance(place.record, Class) else None
    calls = kind.methods("__call__") if kind else []
    return bool(calls) and _warns_of(kind.project, kind.path, calls[-1], argument.name)


def _warns_of(project: Project, path: str, function: Function, name: str) -> bool:
    told = [
        # Strings that stand on several lines, put together.
        re.sub(r"[\"'\s]+", " ", item.call)
        for item in project.module(path).warns
        if item.scope == function.qualname and name in item.call and _ENDING.search(item.call)
    ]
    return any(re.search(rf"\b{re.escape(name)}\b.{{0,60}}(deprecat|remov)", text) for text in told)


def _is_env(place: Place) -> bool:
    return any(link.name == "EnvBase" for link in mro(*place))


def _filled_after(project: Project, config: Config) -> set[str]:
    """Fields that ``__post_init__`` sets: their default is not what the class gets."""
    found: set[str] = set()
    for link in mro(project, config.path, config.record):
        for function in link.methods("__post_init__"):
            if "=" in source(link.project, link.path, function):
                found |= _set_on_self(body(link.project, link.path, function))
    return found


@lru_cache(maxsize=1024)
def _set_on_self(tree: ast.AST | None) -> frozenset[str]:
    return frozenset(
        node.attr
        for node in walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
    )
