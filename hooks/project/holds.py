"""What holds a test back: marks and gates at any scope, compared between two trees."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from . import Project
from .jobs import mark_sets
from .tests import Test, fixtures, marks, may_skip_by_fixture, setups

_PLAIN = ("parametrize", "filterwarnings", "usefixtures")
"""Marks that do not decide whether or how a test is run."""
_SKIPPING = ("skip", "skipif")
_WORD = re.compile(r"[A-Za-z_]\w*")
_COMMON = frozenset({"not", "and", "or", "is", "in", "None", "True", "False", "if", "else", "torch", "pytest", "skip"})


class Hold(NamedTuple):
    """One mark or gate.

    Args:
        name: the mark's, "skipif" for every gate that skips.
        text: the condition or the mark, for people.
        how: where it stands: "function", "class", "module", "fixture NAME" or "if".
        path, line: of the mark or gate.
        own: it is written on the test, its class or its module, so that taking it away is an edit in that place.
    """

    name: str
    text: str
    how: str
    path: str
    line: int
    own: bool = True


def holds(project: Project, test: Test) -> list[Hold]:
    """Marks that decide whether or how a test is run, and the gates around it; what its body does is not among them."""
    found = [
        Hold(mark.name, _said(mark.condition, mark.text), mark.owner, mark.path, mark.line)
        for mark in marks(project, test)
        if mark.name not in _PLAIN
    ]
    for path, owner in ((test.home, test.function), *test.classes[:1]):
        found += [
            Hold("skipif", f"not ({text[3:]})" if text.startswith("if ") else text[5:], "if", path, owner.line)
            for text in owner.guards
            if text.startswith(("if ", "else "))
        ]
    module = project.module(test.path)
    found += [
        Hold("skipif", f"importorskip({item.argument!r})", "module", test.path, item.line)
        for item in module.probes
        if item.name == "importorskip" and not item.scope
    ]
    for condition in _conditions(module.flow):
        found.append(Hold("skipif", condition, "module", test.path, 1))
    requested = fixtures(project, test) if may_skip_by_fixture(project, test) else []
    for path, function in [*requested, *setups(project, test)]:
        found += [
            Hold("skipif", condition, f"fixture {function.name}", path, function.line, own=False)
            for condition in _conditions(function.flow)
        ]
    return found


def lost(before: Project, old: Test, project: Project, new: Test) -> list[Hold]:
    """What held the old test and holds the new one no more, neither in another form nor in another place."""
    if _same(before, old, project, new):
        return []
    had, has = holds(before, old), holds(project, new)
    names = {name for given in mark_sets(project, new)[0] for name in given}
    gone = [hold for hold in had if hold.name not in _SKIPPING and hold.name not in names]
    skips, still = ([hold for hold in every if hold.name in _SKIPPING] for every in (had, has))
    left = [hold.text for hold in still]
    missing = []
    for hold in skips:
        if hold.text in left:
            left.remove(hold.text)
        else:
            missing.append(hold)
    inside, known = [*_inside(project, new)], [*_inside(before, old)]
    if missing and not left and not set(inside) - set(known):
        # Two conditions made one keep their words; where one is new, it may be a lost one in other words.
        words = {word for text in (*(hold.text for hold in still), *inside) for word in _words(text)}
        gone += [hold for hold in missing if not _words(hold.text) or not _words(hold.text) <= words]
    return gone


def _same(before: Project, old: Test, project: Project, new: Test) -> bool:
    """Whether nothing that a mark or gate comes from differs: the usual case, told without expanding a mark."""
    return old.path == new.path and _outline(before, old) == _outline(project, new)


def _outline(project: Project, test: Test) -> tuple:
    owners = [(cls.qualname, _texts(cls.decorators), cls.guards) for _, cls in test.classes]
    own = test.function
    arguments = [parameter.name for parameter in own.parameters]
    homes = {path: None for path in (test.path, test.home, *(path for path, _ in test.classes))}
    return _texts(own.decorators), own.guards, own.flow, arguments, owners, [_around(project, path) for path in homes]


def _around(project: Project, path: str) -> tuple:
    """What the marks and gates of a file's tests come from, beside their own decorators."""
    key = ("around tests", path)
    if key not in project.memo:
        module = project.module(path)
        flows = [
            (item.qualname, item.flow) for item in module.functions if item.flow and not item.name.startswith("test")
        ]
        texts = [item.text for owner in (*module.functions, *module.classes) for item in owner.decorators]
        texts = [text for text in texts if not text.startswith("pytest.mark.parametrize")]
        texts += [text for owner in (*module.functions, *module.classes) for text in owner.guards]
        words = {"pytestmark", *_WORD.findall(f"{texts} {flows} {module.flow}")}
        # A name that decides may be bound to others; the later ones come first.
        for item in reversed(module.assigns):
            if item.name in words:
                words.update(_WORD.findall(item.value))
        assigns = [(item.name, item.value, item.scope) for item in module.assigns if item.name in words]
        imports = [(item.module, item.name, item.bound, item.level) for item in module.imports if item.bound in words]
        skipped = [item.argument for item in module.probes if item.name == "importorskip" and not item.scope]
        project.memo[key] = assigns, imports, flows, module.flow, skipped
    return project.memo[key]


def _texts(decorators: tuple) -> tuple[str, ...]:
    return tuple(item.text for item in decorators)


def _said(condition: ast.expr | None, text: str) -> str:
    return ast.unparse(condition) if condition is not None else " ".join(text.split())


def _conditions(flow: tuple, condition: str = "") -> Iterator[str]:
    """The condition around each skip of a flow, "" for one that always comes."""
    for statement in flow:
        if statement[0] == "skip":
            yield condition
        inner = " ".join(statement[1].split()) if statement[0] == "if" else condition
        for part in statement[1:]:
            if isinstance(part, tuple):
                yield from _conditions(part, inner)


def _inside(project: Project, test: Test) -> Iterator[str]:
    """Conditions on which a test skips itself, or one of its rows."""
    yield from _conditions(test.function.flow)
    scope = test.function.qualname
    for item in project.module(test.home).probes:
        if item.name == "importorskip" and item.scope == scope:
            yield item.argument
    for mark in marks(project, test):
        if mark.name == "parametrize" and "skip" in mark.text:
            yield mark.text


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text)) - _COMMON
