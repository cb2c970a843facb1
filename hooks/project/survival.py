"""What became of the tests of a change's files: each stays, moved, was renamed or merged into another, or is gone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ..facts.records import Function
from . import Project
from .bodies import source
from .names import importers
from .tests import Test, collected, is_test_file, lineage

if TYPE_CHECKING:
    from ..change import Change

_RELATED = 0.4
"""Share of a test's lines in another function from which on it may have been merged into that."""
_NAMED = 0.3
"""The same, where the name is the same, too: then it is that test."""
_COPY = 0.6
_SHORT, _EMPTY = 4, ("pass", "...")
_WORD = re.compile(r"\w+")


class Fate(NamedTuple):
    """What became of one test.

    Args:
        old: in the base.
        new: the same test in the tree; None where it is gone, merged into another or cannot be told.
        gone: whether no file of the tree has it.
    """

    old: Test
    new: Test | None
    gone: bool = False


def fates(change: Change) -> list[Fate]:
    """One for each test that the base collects from the change's files, and from those that import a changed helper."""
    key = ("fates", change.before.tree.label)
    memo = change.project.memo
    if key not in memo:
        memo[key] = list(_Survey(change).fates()) if _files(change, change.before) else []
    return memo[key]


def _files(change: Change, project: Project) -> list[str]:
    """The test files of one side whose tests may differ."""
    folder = project.profile["tests"]
    changed = sorted(
        path
        for path in change.changed
        if path.startswith(folder + "/") and path.endswith(".py") and path in project.tree
    )
    helpers = {path for path in changed if not is_test_file(path, folder)}
    if helpers:
        changed += importers(
            project, helpers, [path for path in project.tree.paths(folder, ".py") if path not in changed]
        )
    return [path for path in changed if is_test_file(path, folder)]


class _Place(NamedTuple):
    """A function of the tree that may be what a test became; ``tests`` are what pytest collects from it."""

    name: str
    lines: Counter[str]
    tests: list[Test]


class _Survey:
    def __init__(self, change: Change) -> None:
        self.change = change
        self.old, self.new = change.before, change.project
        self.origin = {old: new for new, old in change.renames.items()}
        self.files = _files(change, change.project)
        self.unknown = set().union(*map(self._open, self.files))

    def fates(self) -> Iterator[Fate]:
        for path in _files(self.change, self.old):
            here = path if path in self.new.tree else self.origin.get(path, "")
            here = here if _is_collected(here) else ""
            if here and self.new.module(here) is None:
                continue  # it does not parse, which is said elsewhere
            now: dict[str, Test] = {}
            for test in collected(self.new, here) if here else ():
                now.setdefault(test.symbol, test)
            for test in collected(self.old, path):
                found = now.get(test.symbol)
                yield Fate(test, found) if found else self._sought(test)

    def _open(self, path: str) -> set[str]:
        """Test classes of a file whose tests are not known: a base outside the tree, or no class statement at all."""
        module = self.new.module(path)
        if module is None:
            return set()
        bound = {item.name for item in module.assigns} | {item.bound for item in module.imports}
        return bound | {cls.name for cls in module.classes if lineage(self.new, path, cls)[1]}

    def _sought(self, test: Test) -> Fate:
        same = self._added.get(test.symbol)
        if same is not None:
            return Fate(test, same)
        lines = _lines(self.old, test.home, test.function)
        twins = self._twins.get(frozenset(lines.items()), ()) if lines else ()
        for place in sorted(twins, key=lambda place: place.name != test.function.name):
            return Fate(test, place.tests[0] if place.tests else None)
        best = 0.0
        for place in self._fresh if lines else ():
            share = (lines & place.lines).total() / lines.total()
            if place.name == test.function.name and share >= _NAMED and place.tests:
                return Fate(test, place.tests[0])
            best = max(best, share)
        # A body without a telling line is like any other.
        open_ended = not lines or test.symbol.partition("::")[0] in self.unknown or best >= _RELATED
        written_anew = open_ended or any(_namesakes(test.symbol, symbol) for symbol in self._added)
        return Fate(test, None, gone=not written_anew and not self._elsewhere(test, lines))

    @cached_property
    def _tests(self) -> dict[tuple[str, int], list[Test]]:
        """The tests of the changed files by where their function stands."""
        found: dict[tuple[str, int], list[Test]] = {}
        for path in self.files:
            for test in collected(self.new, path):
                found.setdefault((test.home, test.function.line), []).append(test)
        return found

    @cached_property
    def _added(self) -> dict[str, Test]:
        """Tests that the changed files collect and their former selves did not."""
        found: dict[str, Test] = {}
        for path in self.files:
            former = self.change.renames.get(path, path)
            known = {test.symbol for test in collected(self.old, former)} if former in self.old.tree else set()
            for test in collected(self.new, path):
                if test.symbol not in known:
                    found.setdefault(test.symbol, test)
        return found

    @cached_property
    def _twins(self) -> dict[frozenset, list[_Place]]:
        """Functions of the changed test files by what they say."""
        found: dict[frozenset, list[_Place]] = {}
        for path in {*self.files, *(home for home, _ in self._tests)}:
            for function in _functions(self.new, path):
                if place := self._place(path, function):
                    found.setdefault(frozenset(place.lines.items()), []).append(place)
        return found

    @cached_property
    def _fresh(self) -> list[_Place]:
        """Functions of the changed files that are new or not what they were."""
        found = []
        for path in sorted(path for path in self.change.changed if path.endswith(".py") and path in self.new.tree):
            former = self.change.renames.get(path, path)
            sides = (self.old, former), (self.new, path)
            old, new = (
                [(item, source(side, where, item)) for item in _functions(side, where)] for side, where in sides
            )
            known = {(item.qualname, text) for item, text in old}
            for function, text in new:
                if (function.qualname, text) not in known and (place := self._place(path, function)):
                    found.append(place)
        return found

    @cached_property
    def _words(self) -> Counter[str]:
        changed = (path for path in self.change.changed if path.endswith(".py") and path in self.new.tree)
        return Counter(word for path in changed for word in _WORD.findall(self.new.text(path) or ""))

    def _place(self, path: str, function: Function) -> _Place | None:
        """A function that something runs: pytest, or another function."""
        own = self._tests.get((path, function.line), [])
        # A test outside of the tests' folder is some other job's.
        elsewhere = function.name.startswith("test") and path not in self.files and _is_collected(path)
        if not own and self._words[function.name] < 2 and not elsewhere:
            return None
        return _Place(function.name, _lines(self.new, path, function), own)

    def _elsewhere(self, test: Test, lines: Counter[str]) -> bool:
        """Whether an untouched file has the test, so that what went was a copy."""
        word = re.compile(rf"\bdef {re.escape(test.function.name)}\b".encode())
        for path in self.new.tree.paths(self.new.profile["tests"], ".py"):
            if path in self.change.changed or not word.search(self.new.tree.read(path) or b""):
                continue
            for other in collected(self.new, path):
                if other.function.name == test.function.name:
                    there = _lines(self.new, other.home, other.function)
                    # Tests of the same kind for another class are much alike; only the same words are a copy.
                    alike = (lines & there).total() >= _COPY * lines.total()
                    if lines == there or (alike and other.symbol == test.symbol):
                        return True
        return False


def _namesakes(one: str, other: str) -> bool:
    """Whether two tests of one class differ by words at an end of their names: perhaps one was written anew as the other."""
    (owner, _, name), (its, _, new) = one.rpartition("::"), other.rpartition("::")
    return owner == its and any(long.startswith(short + "_") for short, long in ((name, new), (new, name)))


def _is_collected(path: str) -> bool:
    """Whether pytest takes a file by its name, wherever it lies."""
    return is_test_file(path, path.rpartition("/")[0]) if "/" in path else False


def _lines(project: Project, path: str, function: Function) -> Counter[str]:
    """The lines of a body that say something: no signature, docstring, comment or bracket alone."""
    key = ("telling lines", path, function.line)
    if key not in project.memo:
        text = source(project, path, function).splitlines()
        if function.doc:
            text[function.doc[0] - function.line : function.doc[1] - function.line + 1] = []
        start = next((number for number, line in enumerate(text, 1) if line.rstrip().endswith(":")), 1)
        told = [line.partition("  #")[0].strip() for line in text[start:]]
        project.memo[key] = Counter(
            line for line in told if len(line) >= _SHORT and line not in _EMPTY and line[0] != "#"
        )
    return project.memo[key]


def _functions(project: Project, path: str) -> tuple[Function, ...]:
    module = project.module(path) if path in project.tree else None
    return module.functions if module else ()
