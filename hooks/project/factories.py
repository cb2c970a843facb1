"""What a ``_make_*`` function does with the fields of a Config: each way through it, in statement order.

A way is followed from the parameters to the object returned. Tests of a field (``if discrete:``,
``loss_type == "clip"``) part the ways; other tests do so only where one side takes keys out or returns.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..facts.records import Class, Function
from ..facts.source import walk
from .bodies import body
from .keywords import constant_keys, is_name, strings
from .mro import Place, used

_WAYS = 64
_DEPTH = 4
_NO_KEYS: frozenset[str] = frozenset()


class Condition(NamedTuple):
    """A test on the way.

    Args:
        key: field that it is about; "" where it is about something else.
        op: "true", "==", "is None" or "".
        value: what the field is compared with.
        holds: whether the way is taken when it does.
        text: source of the test.
    """

    key: str
    op: str
    value: object
    holds: bool
    text: str


class Build(NamedTuple):
    """One call that makes something.

    Args:
        target: the class (or a function that is not followed), or why it is not known.
        rest: it is given ``**kwargs``.
        passed: keyword -> fields that its value comes from.
        positional: fields that each positional argument comes from.
        removed: fields that no longer are in ``**kwargs`` then.
        added: those of them that may have been put back, where they were given.
        line: counted from the ``def`` of ``place``.
        place: the function that holds the call.
    """

    target: Place | str
    rest: bool
    passed: dict[str, frozenset[str]]
    positional: tuple[frozenset[str], ...]
    removed: frozenset[str]
    added: frozenset[str]
    line: int
    place: Place


class Way(NamedTuple):
    """One way through a factory.

    Args:
        builds: all calls of classes and all that are given ``**kwargs``.
        result: the one that is returned, or None.
        discarded: fields that were taken out and thrown away.
        deleted: fields that were let go on purpose (``del name``).
        read: fields of which the value is looked at.
        open: ``**kwargs`` is used in a way that is not followed.
    """

    conditions: tuple[Condition, ...]
    builds: tuple[Build, ...]
    result: Build | None
    removed: frozenset[str]
    discarded: frozenset[str]
    deleted: frozenset[str]
    read: frozenset[str]
    open: bool


class Factory(NamedTuple):
    """A factory's ways, and default -> of each key that it takes, as source text (None: it must be there)."""

    ways: tuple[Way, ...]
    defaults: dict[str, str | None]
    places: tuple[Place, ...]


def factory(place: Place) -> Factory:
    """Follows a factory; without ways where there are too many or its source is not at hand."""
    key = ("factory", place.path, place.record.qualname)
    memo = place.project.memo
    if key not in memo:
        memo[key] = _factory(place)
    return memo[key]


def _factory(place: Place) -> Factory:
    run = _Run()
    state = _State()
    for item in place.record.parameters:
        if item.kind not in ("*", "**"):
            state.names[item.name] = frozenset([item.name])
            state.removed[item.name] = "named"
            run.defaults[item.name] = item.default
    try:
        ends = run.function(place, [state], _DEPTH)
    except _TooMany:
        return Factory((), run.defaults, tuple(run.places))
    ways = tuple(
        Way(
            tuple(end.conditions),
            tuple(end.builds),
            end.result,
            frozenset(end.removed),
            frozenset(key for key, how in end.removed.items() if how == "discarded"),
            frozenset(key for key, how in end.removed.items() if how == "deleted"),
            frozenset(end.read),
            end.open,
        )
        for end in ends
        if not end.raised
    )
    return Factory(ways, run.defaults, tuple(run.places))


class _TooMany(Exception):
    """More ways than are followed."""


class _State:
    """Where one way stands."""

    def __init__(self) -> None:
        self.conditions: list[Condition] = []
        self.builds: list[Build] = []
        self.removed: dict[str, str] = {}
        self.read: set[str] = set()
        self.added: set[str] = set()
        self.names: dict[str, frozenset[str]] = {}
        self.classes: dict[str, Place] = {}
        self.objects: dict[str, Build] = {}
        self.sets: dict[str, tuple[str, ...]] = {}
        self.result: Build | None = None
        self.open = self.done = self.raised = False

    def copy(self) -> _State:
        other = _State()
        for name, value in vars(self).items():
            setattr(other, name, value.copy() if isinstance(value, (dict, list, set)) else value)
        return other


class _Run:
    """One walk through a factory and the functions that it hands its keywords to."""

    def __init__(self) -> None:
        self.defaults: dict[str, str | None] = {}
        self.places: list[Place] = []
        self.place: Place | None = None
        self.rest = ""
        self.depth = 0
        self.conditional = 0

    def function(self, place: Place, states: list[_State], depth: int) -> list[_State]:
        tree = body(place.project, place.path, place.record)
        self.places.append(place)
        outer = self.place, self.rest, self.depth
        rest = next((item.name for item in place.record.parameters if item.kind == "**"), "")
        self.place, self.rest, self.depth = place, rest, depth
        if tree is None:
            for state in states:
                state.open = True
        else:
            states = self.block(tree.body, states)
        self.place, self.rest, self.depth = outer
        return states

    def block(self, statements: Iterable[ast.stmt], states: list[_State]) -> list[_State]:
        for statement in statements:
            states = [
                after for state in states for after in ([state] if state.done else self.statement(statement, state))
            ]
            if len(states) > _WAYS:
                raise _TooMany
        return states

    def statement(self, node: ast.stmt, state: _State) -> list[_State]:
        if isinstance(node, ast.If):
            return self.branch(node, state)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            return self.assign(node, state)
        if isinstance(node, ast.Return):
            return self.returned(node, state)
        if isinstance(node, ast.Raise):
            state.done = state.raised = True
        elif isinstance(node, ast.Expr):
            if (keys := self.popped(node.value, state)) is not None:
                state.removed.update(dict.fromkeys(keys, "discarded"))
            else:
                state.read |= self.value(node.value, state)
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                if isinstance(target, ast.Subscript) and is_name(target.value, self.rest):
                    state.removed.update(dict.fromkeys(constant_keys(target.slice, state.sets), "discarded"))
                elif isinstance(target, ast.Name):
                    state.removed.update(dict.fromkeys(state.names.get(target.id, ()), "deleted"))
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                state.read |= self.value(item.context_expr, state)
            return self.block(node.body, [state])
        elif isinstance(node, ast.For):
            items = strings(node.iter, state.sets)
            keys = self.value(node.iter, state)
            if isinstance(node.target, ast.Name):
                state.names[node.target.id] = keys
                state.sets[node.target.id] = items or ()
            return self.block([*node.body, *node.orelse], [state])
        elif isinstance(node, ast.Try):
            return self.block([*node.body, *node.orelse, *node.finalbody], [state])
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.While, ast.Assert)):
            self.mentioned(node, state)
        return [state]

    def branch(self, node: ast.If, state: _State) -> list[_State]:
        if _asks_for_key(node.test, self.rest):
            # A Config hands over all of its fields.
            return self.block(node.body, [state])
        state.read |= self.value(node.test, state)
        if not self.matters(node):
            self.conditional += 1
            states = self.block([*_but_raising(node.body), *_but_raising(node.orelse)], [state])
            self.conditional -= 1
            return states
        condition = self.condition(node.test, state)
        other = state.copy()
        state.conditions.append(condition)
        other.conditions.append(condition._replace(holds=not condition.holds))
        return [*self.block(node.body, [state]), *self.block(node.orelse, [other])]

    def matters(self, node: ast.If) -> bool:
        """Whether a side returns, raises at its end in an else-if chain, takes keys out or hands them on."""
        for inner in _inside(node):
            if isinstance(inner, ast.Return):
                return True
            if isinstance(inner, ast.Call):
                if is_name(inner.func, self.rest, "attribute") and inner.func.attr == "pop":
                    return True
                if any(word.arg is None and is_name(word.value, self.rest) for word in inner.keywords):
                    return True
            if isinstance(inner, ast.Subscript) and isinstance(inner.ctx, ast.Del) and is_name(inner.value, self.rest):
                return True
        return False

    def condition(self, test: ast.expr, state: _State) -> Condition:
        text = ast.unparse(test)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = self.condition(test.operand, state)
            return inner._replace(holds=not inner.holds)
        subject, op, value = test, "true", True
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.comparators[0], ast.Constant):
            subject, value = test.left, test.comparators[0].value
            op = {ast.Eq: "==", ast.NotEq: "!=", ast.Is: "==", ast.IsNot: "!="}.get(type(test.ops[0]), "")
        keys = state.names.get(subject.id, _NO_KEYS) if isinstance(subject, ast.Name) else _NO_KEYS
        if len(keys) != 1 or not op:
            return Condition("", "", None, True, text)
        (key,) = keys
        return Condition(key, op.replace("!", "="), value, op != "!=", text)

    def assign(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, state: _State) -> list[_State]:
        if node.value is None:
            return [state]
        states = self.delegated(node.value, state)
        if states is not None:
            return states
        keys = self.popped(node.value, state)
        if keys is not None:
            state.removed.update(dict.fromkeys(keys, "held"))
        else:
            keys = self.value(node.value, state)
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name):
                self.bind(target.id, node.value, keys, state)
                continue
            state.read |= keys
            if isinstance(target, ast.Subscript) and is_name(target.value, self.rest):
                for key in constant_keys(target.slice, state.sets):
                    # What a parameter or a condition brings back is passed on only where it is given.
                    if key in state.removed and (self.conditional or state.removed[key] == "named"):
                        state.added.add(key)
                    else:
                        state.removed.pop(key, None)
            else:
                self.value(target, state)
        return [state]

    def bind(self, name: str, value: ast.expr, keys: frozenset[str], state: _State) -> None:
        state.names[name] = keys
        if (items := strings(value, state.sets)) is not None:
            state.sets[name] = items
        made = self.made(value, state)
        state.objects.pop(name, None)
        if made is not None:
            state.objects[name] = made
        state.classes.pop(name, None)
        if isinstance(value, (ast.Name, ast.Attribute)) and isinstance(place := self.called(value, state), Place):
            state.classes[name] = place

    def made(self, value: ast.expr, state: _State) -> Build | None:
        """The build that a value is, or a method's result on it (``module.share_memory()``)."""
        if isinstance(value, ast.Name):
            return state.objects.get(value.id)
        if isinstance(value, ast.Call):
            if isinstance(value.func, ast.Attribute) and isinstance(value.func.value, ast.Name):
                inner = state.objects.get(value.func.value.id)
                if inner is not None:
                    return inner
            found = [build for build in state.builds if build.line == value.lineno and build.place == self.place]
            return found[-1] if found else None
        return None

    def returned(self, node: ast.Return, state: _State) -> list[_State]:
        states = self.delegated(node.value, state) if node.value is not None else None
        if states is None:
            if node.value is not None:
                state.read |= self.value(node.value, state)
                state.result = self.made(node.value, state)
            states = [state]
        for each in states:
            each.done = True
        return states

    def delegated(self, value: ast.expr, state: _State) -> list[_State] | None:
        """The ways through a function of the tree that is given the keywords and makes the object."""
        if not isinstance(value, ast.Call) or not any(
            word.arg is None and is_name(word.value, self.rest) for word in value.keywords
        ):
            return None
        place = self.called(value.func, state)
        if not isinstance(place, Place) or not isinstance(place.record, Function) or self.depth <= 0:
            return None
        plain = [item.name for item in place.record.parameters if item.kind in ("/", "")]
        inner = state.copy()
        given = [(name, argument) for name, argument in zip(plain, value.args) if not isinstance(argument, ast.Starred)]
        given += [(word.arg, word.value) for word in value.keywords if word.arg]
        inner.names, inner.classes, inner.objects, inner.sets = {}, {}, {}, {}
        for name in [item.name for item in place.record.parameters if item.kind not in ("*", "**")]:
            if name not in dict(given):
                inner.names[name] = frozenset([name])
                inner.removed.setdefault(name, "named")
        for name, argument in given:
            inner.names[name] = self.value(argument, state)
            if isinstance(found := self.called(argument, state), Place):
                inner.classes[name] = found
        ends = self.function(place, [inner], self.depth - 1)
        for end in ends:
            end.done = end.raised
            end.names, end.classes, end.sets = dict(state.names), dict(state.classes), dict(state.sets)
            end.objects = dict(state.objects)
        return ends

    def popped(self, value: ast.expr, state: _State) -> frozenset[str] | None:
        """Keys of a bare ``kwargs.pop(key)``."""
        if (
            not isinstance(value, ast.Call)
            or not is_name(value.func, self.rest, "attribute")
            or value.func.attr != "pop"
        ):
            return None
        keys = constant_keys(value.args[0], state.sets) if value.args else ()
        default = ast.unparse(value.args[1]) if len(value.args) > 1 else None
        for key in keys:
            self.defaults.setdefault(key, default)
        state.open = state.open or not keys
        return frozenset(keys)

    def value(self, node: ast.expr, state: _State) -> frozenset[str]:
        """Fields that an expression's value comes from; a name that it looks at counts as read.

        A key that it pops does not: that one is read when the value is.
        """
        keys = self.popped(node, state)
        if keys is not None:
            state.removed.update(dict.fromkeys(keys, "held"))
            return keys
        if isinstance(node, ast.Name):
            if node.id == self.rest:
                state.open = True
            keys = state.names.get(node.id, _NO_KEYS)
            state.read |= keys
            return keys
        if isinstance(node, ast.Call):
            return self.call(node, state)
        if isinstance(node, ast.Subscript) and is_name(node.value, self.rest):
            keys = frozenset(constant_keys(node.slice, state.sets))
            state.read |= keys
            return keys
        if isinstance(node, ast.Compare) and any(is_name(item, self.rest) for item in node.comparators):
            return self.value(node.left, state)
        found: set[str] = set()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                found |= self.value(child, state)
            elif isinstance(child, (ast.comprehension, ast.arguments, ast.keyword)):
                found |= self.mentioned(child, state)
        return frozenset(found)

    def call(self, node: ast.Call, state: _State) -> frozenset[str]:
        if is_name(node.func, self.rest, "attribute") and node.func.attr == "get" and node.args:
            keys = frozenset(constant_keys(node.args[0], state.sets))
            state.read |= keys
            return keys
        found: set[str] = set(self.value(node.func, state)) if not isinstance(node.func, ast.Name) else set()
        if isinstance(node.func, ast.Name):
            found |= state.names.get(node.func.id, _NO_KEYS)
            state.read |= found
        positional, rest = [], False
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                self.value(argument.value, state)
            else:
                positional.append(self.value(argument, state))
        passed: dict[str, frozenset[str]] = {}
        for word in node.keywords:
            if word.arg is None and is_name(word.value, self.rest):
                rest = True
            elif word.arg is None:
                found |= self.value(word.value, state)
            else:
                passed[word.arg] = self.value(word.value, state)
        target = self.called(node.func, state)
        if rest or (isinstance(target, Place) and isinstance(target.record, Class)):
            target = target if isinstance(target, Place) else target or f"{ast.unparse(node.func)} is not known"
            state.read |= frozenset().union(*positional, *passed.values())
            state.builds.append(
                Build(
                    target,
                    rest,
                    passed,
                    tuple(positional),
                    frozenset(state.removed),
                    frozenset(state.added),
                    node.lineno,
                    self.place,
                )
            )
        return frozenset(found.union(*positional, *passed.values()))

    def called(self, node: ast.expr, state: _State) -> Place | str | None:
        text = ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
        if text in state.classes:
            return state.classes[text]
        if not text or text.partition(".")[0] in state.names or not text.replace(".", "").replace("_", "a").isalnum():
            return None
        return used(self.place.project, self.place.path, text, self.place.record.qualname)

    def mentioned(self, node: ast.AST, state: _State) -> frozenset[str]:
        """Everything that a nested statement looks at, without following it."""
        found: set[str] = set()
        for inner in walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                found |= state.names.get(inner.id, _NO_KEYS)
                state.open = state.open or (bool(self.rest) and inner.id == self.rest)
        state.read |= found
        return frozenset(found)


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """What a statement holds, functions defined in it left out."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield from _inside(child)


def _asks_for_key(test: ast.expr, rest: str) -> bool:
    """``key in kwargs``."""
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In) and is_name(test.comparators[0], rest)


def _but_raising(statements: list[ast.stmt]) -> list[ast.stmt]:
    """A block that goes on afterwards."""
    return [] if statements and isinstance(statements[-1], ast.Raise) else statements


def target_classes(place: Place) -> list[Place]:
    """The classes that a factory returns an object of: the annotated one first, then in the order of its ways."""
    found = [
        way.result.target
        for way in factory(place).ways
        if way.result and isinstance(way.result.target, Place) and isinstance(way.result.target.record, Class)
    ]
    named = (
        used(place.project, place.path, place.record.returns.strip("'\""), place.record.qualname)
        if place.record.returns
        else None
    )
    if isinstance(named, Place) and isinstance(named.record, Class) and (named in found or not found):
        found.insert(0, named)
    return list({(item.path, item.record.qualname): item for item in found}.values())
