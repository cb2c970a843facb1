"""What pytest collects from a file, and the marks and fixtures that each test has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from ..facts.records import Assign, Class, Function
from . import Project
from .names import lookup
from .worlds import dotted_name, parse

_DEPTH = 6
_PLAIN = re.compile(r"([A-Za-z_][\w.]*)(\(.*\))?\Z", re.DOTALL)
"""A name or a call of one: what nearly every decorator is, so that it need not be parsed to be named."""
_CLASS_SETUPS = ("setup_class", "setup_method", "setUp", "setUpClass")
_MODULE_SETUPS = ("setup_module", "setup_function")


class Mark(NamedTuple):
    """One pytest mark, wherever it was written.

    Args:
        name: "gpu", "skipif", "parametrize" ...; ``unittest.skipIf`` and its kind become "skipif" and "skip".
        text: source of the expression, arguments included.
        path: file in which the arguments' names are to be looked up.
        scope: qualified name around them.
        owner: what carries the mark: "function", "class", "module" or "row".
        line: where it was applied.
        negated: the condition says when to run, not when to skip.
        values: constants that a helper which returned the mark was called with.
    """

    name: str
    text: str
    path: str
    scope: str
    owner: str
    line: int
    negated: bool = False
    values: tuple[tuple[str, Any], ...] = ()

    @property
    def call(self) -> ast.Call | None:
        """The call with the mark's arguments; None for a bare mark. Most marks are never asked."""
        node = parse(self.text)
        return node if isinstance(node, ast.Call) else None

    @property
    def condition(self) -> ast.expr | None:
        """The condition of a skipif or xfail; a string is the expression that it holds."""
        call = self.call
        if call is None:
            return None
        given = call.args[:1] + [word.value for word in call.keywords if word.arg == "condition"]
        condition = given[0] if given else None
        if isinstance(condition, ast.Constant) and isinstance(condition.value, str):
            condition = parse(condition.value)
        return ast.UnaryOp(ast.Not(), condition) if condition is not None and self.negated else condition


class Test(NamedTuple):
    """One test function as collected in one class.

    Args:
        path: file that collects it.
        symbol: ``Class::test`` or ``test``.
        line: the ``def`` line, or the class line where the function is inherited from another file.
        function: its record, in the file ``home``.
        classes: (path, class) from the collecting class through its bases in the tree.
        unresolved: a base class that could not be found in the tree, so that marks may be missing.
    """

    path: str
    symbol: str
    line: int
    function: Function
    home: str
    classes: tuple[tuple[str, Class], ...]
    unresolved: bool

    __test__ = False  # for pytest, when this module is imported by a test


def collected(project: Project, path: str) -> list[Test]:
    """Tests of one file in pytest's default collection: ``test*`` functions and those of ``Test*`` classes.

    Methods that a class inherits from bases in the tree are its own tests.
    """
    key = ("tests", path)
    if key not in project.memo:
        project.memo[key] = list(_collect(project, path))
    return project.memo[key]


def is_test_file(path: str, tests: str) -> bool:
    """Whether pytest collects a path without being told to, in the folder of tests."""
    name = path.rpartition("/")[2]
    return (
        path.startswith(tests + "/")
        and name.endswith(".py")
        and (name.startswith("test_") or name.endswith("_test.py"))
    )


def marks(project: Project, test: Test) -> list[Mark]:
    """All marks of a test: its own, its classes' and its modules', parameter rows excepted."""
    key = ("marks", test.path, test.symbol, test.home, test.function.line)
    if key not in project.memo:
        found = list(_decorations(project, test.home, test.function.decorators, test.function.qualname, "function"))
        for path, cls in test.classes:
            found += _class_marks(project, path, cls)
        for path in {test.path: None, test.home: None}:
            found += _pytestmark(project, path, "", "module")
        project.memo[key] = found
    return project.memo[key]


def rows(parametrize: Mark) -> list[ast.expr] | None:
    """The rows of a parametrize mark, or None where they are not written as a list."""
    if parametrize.call is None:
        return None
    given = parametrize.call.args[1:2] + [word.value for word in parametrize.call.keywords if word.arg == "argvalues"]
    values = given[0] if given else None
    return list(values.elts) if isinstance(values, (ast.List, ast.Tuple)) else None


def names(parametrize: Mark) -> tuple[str, ...]:
    """The parameters that a parametrize mark sets."""
    given = parametrize.call.args[:1] + [word.value for word in parametrize.call.keywords if word.arg == "argnames"]
    if not given:
        return ()
    node = given[0]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return tuple(name.strip() for name in node.value.split(",") if name.strip())
    if isinstance(node, (ast.List, ast.Tuple)):
        return tuple(item.value for item in node.elts if isinstance(item, ast.Constant))
    return ()


def row_marks(project: Project, row: ast.expr, parametrize: Mark) -> list[Mark]:
    """The marks of one ``pytest.param(..., marks=...)``."""
    if not isinstance(row, ast.Call) or _pytest_name(project, parametrize.path, row.func) != "pytest.param":
        return []
    given = next((word.value for word in row.keywords if word.arg == "marks"), None)
    return list(_expand(project, parametrize.path, given, parametrize.scope, "row", row.lineno, _DEPTH))


def fixtures(project: Project, test: Test, automatic: bool = True) -> list[tuple[str, Function]]:
    """(path, function) of every fixture that a test uses and that the tree defines, ``autouse`` ones if wanted."""
    wanted = [parameter.name for parameter in test.function.parameters]
    for mark in marks(project, test):
        if mark.name == "usefixtures" and mark.call is not None:
            wanted += [item.value for item in mark.call.args if isinstance(item, ast.Constant)]
    homes = _fixture_homes(project, test)
    # The tests of a class ask for the same few.
    key = ("requested", homes, tuple(wanted), automatic)
    if key not in project.memo:
        project.memo[key] = _requested(project, homes, wanted, automatic)
    return project.memo[key]


def _requested(
    project: Project, homes: tuple[tuple[str, str], ...], wanted: list[str], automatic: bool
) -> list[tuple[str, Function]]:
    found: dict[tuple[str, str], tuple[str, Function]] = {}
    for path, scope in homes if automatic else ():
        wanted += _automatic(project, path, scope)
    while wanted:
        fixture = _fixture(project, homes, wanted.pop())
        if fixture is not None and (key := (fixture[0], fixture[1].qualname)) not in found:
            found[key] = fixture
            wanted += [parameter.name for parameter in fixture[1].parameters]
    return list(found.values())


def may_skip_by_fixture(project: Project, test: Test) -> bool:
    """Whether any fixture within a test's reach may leave before its end; most files have none."""
    homes = _fixture_homes(project, test)
    key = ("may skip", homes)
    if key not in project.memo:
        project.memo[key] = any(
            function.flow for path, scope in homes for function in _fixtures_in(project, path, scope).values()
        ) or any(_imports_leaving_fixture(project, path) for path, scope in homes if not scope)
    return project.memo[key]


def _imports_leaving_fixture(project: Project, path: str) -> bool:
    key = ("imports leaving fixture", path)
    if key not in project.memo:
        module = project.module(path)
        names = {item.bound for item in module.imports if item.name and not item.scope} if module else set()
        found = [_imported_fixture(project, path, name)[1] for name in names]
        project.memo[key] = any(function is not None and function.flow for function in found)
    return project.memo[key]


def setups(project: Project, test: Test) -> list[tuple[str, Function]]:
    """(path, function) of the xunit-style set-up functions that run before a test."""
    names = {(path, f"{cls.qualname}.{name}") for path, cls in test.classes for name in _CLASS_SETUPS}
    names |= {(test.path, name) for name in _MODULE_SETUPS}
    return [
        (path, function)
        for path in {path: None for path, _ in sorted(names)}
        for function in _setups_in(project, path)
        if (path, function.qualname) in names
    ]


def _setups_in(project: Project, path: str) -> list[Function]:
    key = ("setups", path)
    if key not in project.memo:
        known = {*_CLASS_SETUPS, *_MODULE_SETUPS}
        project.memo[key] = [function for function in project.module(path).functions if function.name in known]
    return project.memo[key]


def _collect(project: Project, path: str) -> Iterator[Test]:
    module = project.module(path)
    if module is None:
        return
    for function in module.functions:
        if "." not in function.qualname and function.name.startswith("test"):
            yield Test(path, function.name, function.line, function, path, (), False)
    for cls in module.classes:
        if cls.name.startswith("Test") and "." not in cls.qualname:
            yield from _of_class(project, path, cls)


def _of_class(project: Project, path: str, cls: Class) -> Iterator[Test]:
    bases, unresolved = lineage(project, path, cls)
    seen: set[str] = set()
    for home, owner in bases:
        own = [
            function for function in _methods(project, home).get(owner.qualname, ()) if function.name.startswith("test")
        ]
        for function in own:
            if function.name not in seen:
                line = function.line if home == path else cls.line
                yield Test(path, f"{cls.name}::{function.name}", line, function, home, tuple(bases), unresolved)
        seen.update(function.name for function in own)


def _methods(project: Project, path: str) -> dict[str, list[Function]]:
    """Functions of a file by what they stand in: a class's qualified name, "" for the module."""
    key = ("functions by owner", path)
    if key not in project.memo:
        found: dict[str, list[Function]] = {}
        for function in project.module(path).functions:
            found.setdefault(function.qualname.rpartition(".")[0], []).append(function)
        project.memo[key] = found
    return project.memo[key]


def lineage(project: Project, path: str, cls: Class) -> tuple[list[tuple[str, Class]], bool]:
    """The class and its bases in the tree, depth first, left to right: close enough to the MRO for marks.

    Returns:
        (path, class) of each, and whether some base could not be found.
    """
    found, unresolved, waiting = [], False, [(path, cls)]
    while waiting:
        home, owner = waiting.pop(0)
        if (home, owner) in found:
            continue
        found.append((home, owner))
        bases = []
        for text in owner.bases:
            if text in ("object", "unittest.TestCase", "abc.ABC", "ABC"):
                continue
            base = lookup(project, home, text)
            if base is not None and isinstance(base.record, Class) and base.name == base.record.qualname:
                bases.append((base.path, base.record))
            else:
                unresolved = True
        waiting[:0] = bases
    return found, unresolved


def _class_marks(project: Project, path: str, cls: Class) -> list[Mark]:
    key = ("class marks", path, cls.qualname, cls.line)
    if key not in project.memo:
        own = list(_decorations(project, path, cls.decorators, cls.qualname, "class"))
        project.memo[key] = own + list(_pytestmark(project, path, cls.qualname, "class"))
    return project.memo[key]


def _decorations(project: Project, path: str, decorators: tuple, qualname: str, owner: str) -> Iterator[Mark]:
    scope = qualname.rpartition(".")[0]
    for decorator in decorators:
        plain = _PLAIN.match(decorator.text)
        found = lookup(project, path, plain[1], scope) if plain else None
        if found is not None and not found.path:
            yield from _mark(found.name, decorator.text, path, scope, owner, decorator.line)
        else:
            yield from _expand(project, path, parse(decorator.text), scope, owner, decorator.line, _DEPTH)


def _pytestmark(project: Project, path: str, scope: str, owner: str) -> Iterator[Mark]:
    key = ("pytestmark", path)
    if key not in project.memo:
        module = project.module(path)
        project.memo[key] = [assign for assign in (module.assigns if module else ()) if assign.name == "pytestmark"]
    for assign in project.memo[key]:
        if assign.scope == scope:
            yield from _expand(project, path, parse(assign.value), scope, owner, assign.line, _DEPTH)


def _expand(
    project: Project, path: str, node: ast.expr | None, scope: str, owner: str, line: int, depth: int
) -> Iterator[Mark]:
    """The marks that an expression stands for: a mark, a list of marks, an alias, a choice, a helper's answer."""
    if node is None or depth <= 0:
        return
    if isinstance(node, (ast.List, ast.Tuple)):
        parts = node.elts
    elif isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    elif isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    else:
        call = node if isinstance(node, ast.Call) else None
        dotted = dotted_name(call.func if call else node)
        found = lookup(project, path, dotted, scope) if dotted else None
        if found is None:
            return
        if not found.path:
            yield from _mark(found.name, ast.unparse(node), path, scope, owner, line)
        elif isinstance(found.record, Assign) and call is None:
            yield from _expand(
                project, found.path, parse(found.record.value), found.record.scope, owner, line, depth - 1
            )
        elif isinstance(found.record, Function) and call is not None:
            values = _constants(call, found.record)
            for returned in _returns(found.record.flow):
                for mark in _expand(
                    project, found.path, parse(returned), found.record.qualname, owner, line, depth - 1
                ):
                    yield mark._replace(values=(*values, *mark.values))
        return
    for part in parts:
        yield from _expand(project, path, part, scope, owner, line, depth - 1)


def _mark(dotted: str, text: str, path: str, scope: str, owner: str, line: int) -> Iterator[Mark]:
    made = partial(Mark, text=text, path=path, scope=scope, owner=owner, line=line)
    if dotted.startswith("pytest.mark."):
        yield made(dotted.removeprefix("pytest.mark."))
    elif dotted in ("unittest.skipIf", "unittest.skipUnless"):
        yield made("skipif", negated=dotted == "unittest.skipUnless")
    elif dotted == "unittest.skip":
        yield made("skip")


def _constants(call: ast.Call, function: Function) -> tuple[tuple[str, Any], ...]:
    names = [parameter.name for parameter in function.parameters if parameter.kind in ("/", "")]
    given = [*zip(names, call.args), *((word.arg, word.value) for word in call.keywords)]
    return tuple((name, value.value) for name, value in given if isinstance(value, ast.Constant))


def _returns(flow: tuple) -> Iterator[str]:
    for statement in flow:
        if statement[0] == "return" and statement[1]:
            yield statement[1]
        for part in statement[1:]:
            if isinstance(part, tuple):
                yield from _returns(part)


def _pytest_name(project: Project, path: str, node: ast.expr) -> str:
    found = lookup(project, path, dotted_name(node)) if dotted_name(node) else None
    return found.name if found is not None and not found.path else ""


def _fixture_homes(project: Project, test: Test) -> tuple[tuple[str, str], ...]:
    """(path, scope) where pytest looks for fixtures, nearest first: classes, the file, conftest.py upwards."""
    key = ("fixture homes", test.path, test.classes[0][1].line if test.classes else 0)
    if key not in project.memo:
        homes = [(path, cls.qualname) for path, cls in test.classes]
        homes.append((test.path, ""))
        folder = test.path
        while folder:
            folder = folder.rpartition("/")[0]
            conftest = f"{folder}/conftest.py" if folder else "conftest.py"
            if conftest in project.tree:
                homes.append((conftest, ""))
        project.memo[key] = tuple(homes)
    return project.memo[key]


def _fixture(project: Project, homes: tuple[tuple[str, str], ...], name: str) -> tuple[str, Function] | None:
    """(path, function) of the nearest fixture of a name."""
    key = ("fixture", homes, name)
    if key not in project.memo:
        project.memo[key] = next(_fixtures_called(project, homes, name), None)
    return project.memo[key]


def _fixtures_called(project: Project, homes: tuple[tuple[str, str], ...], name: str) -> Iterator[tuple[str, Function]]:
    for path, scope in homes:
        function = _fixtures_in(project, path, scope).get(name)
        if function is None and not scope:
            path, function = _imported_fixture(project, path, name)
        if function is not None:
            yield path, function


def _fixtures_in(project: Project, path: str, scope: str) -> dict[str, Function]:
    key = ("fixtures", path, scope)
    if key not in project.memo:
        functions = _methods(project, path).get(scope, ()) if project.module(path) else ()
        project.memo[key] = {
            function.name: function for function in functions if _fixture_call(project, path, function) is not None
        }
    return project.memo[key]


def _imported_fixture(project: Project, path: str, name: str) -> tuple[str, Function | None]:
    found = lookup(project, path, name)
    if (
        found is not None
        and isinstance(found.record, Function)
        and _fixture_call(project, found.path, found.record) is not None
    ):
        return found.path, found.record
    return path, None


def _fixture_call(project: Project, path: str, function: Function) -> ast.expr | None:
    for decorator in function.decorators:
        if "fixture" in decorator.text:
            node = parse(decorator.text)
            if _pytest_name(project, path, node.func if isinstance(node, ast.Call) else node) in (
                "pytest.fixture",
                "pytest_asyncio.fixture",
            ):
                return node
    return None


def _automatic(project: Project, path: str, scope: str) -> list[str]:
    """Names of the fixtures that every test below asks for."""
    key = ("automatic", path, scope)
    if key not in project.memo:
        project.memo[key] = [
            name
            for name, function in _fixtures_in(project, path, scope).items()
            if isinstance(node := _fixture_call(project, path, function), ast.Call)
            and any(
                word.arg == "autouse" and isinstance(word.value, ast.Constant) and word.value.value is True
                for word in node.keywords
            )
        ]
    return project.memo[key]
