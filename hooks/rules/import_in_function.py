"""An import inside a function that could stand at the top of the file.

What it protects: the reader, who looks for dependencies at the top, and the user, who should learn at the
import and not in the middle of a training run that something is missing.

An import in a function is left alone where it has a reason: the package is optional and the file asks for it
(a ``find_spec`` flag, a try), the name is missing in the oldest torch or Python supported, the function is a
branch of ``implement_for`` or a module's ``__getattr__``, or the module would import itself in a circle. The
circle is looked for in the import graph of the package; imports at module level alone count.

Bad:

    def make_env():
        from torchrl.envs.utils import check_env_specs   # no circle, no optional package
        ...

Good:

    from torchrl.envs.utils import check_env_specs

    def make_env():
        ...

How to fix: move the import to the top. For an optional package keep it where it is and add the flag
``_has_x = importlib.util.find_spec("x") is not None``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..change import Change
from ..facts.records import Function, Import
from ..finding import Finding
from ..project import Project
from ..project.cycles import comes_back, is_internal, missing, on_demand, target
from ..project.guards import asks, at_import, catches, for_types, is_refused_above
from ..project.names import bindings
from ..project.optional import INTERNAL, OPTIONAL, STANDARD, distribution, dotted, extras, need, newer_python
from ..project.torch_symbols import newer
from ._hoist import hoist

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "An import inside a function that could stand at the top of the file"
SEVERITY = "error"
SECTION = "1"
CONCERNS = ("package",)
REPEATABLE = True
NEEDS = ("package",)

# They are not on every system, or not in every build of Python.
_SYSTEM = frozenset(
    (
        "curses",
        "dbm",
        "fcntl",
        "grp",
        "msvcrt",
        "nt",
        "posix",
        "pwd",
        "readline",
        "resource",
        "syslog",
        "termios",
        "tkinter",
        "tty",
        "winreg",
        "winsound",
    )
)
# A condition that asks what is there, not what the function was given.
_ASKS = re.compile(r"version|\bplatform\b|hasattr|find_spec|\b_*(?:has|have)_|_available\b|\bos\.name\b", re.IGNORECASE)


class _Reason(NamedTuple):
    """Why an import may not stand where it is."""

    severity: str
    message: str
    hint: str
    hoists: bool


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    hoisted: dict[str, set[str]] = {}
    for path in change.judged_under(project.profile["package"], ".py"):
        module = project.module(path)
        if module is None or not any(item.scope for item in module.imports):
            continue
        top = {id(item) for item in at_import(project, path)}
        statements: dict[tuple[int, int, str], list[Import]] = {}
        for item in module.imports:
            if item.scope and id(item) not in top and not for_types(item.guards):
                # Several names of one statement are one finding; ``import a; import b`` is two statements.
                statements.setdefault((item.line, item.column, item.scope), []).append(item)
        functions = {function.qualname: function for function in module.functions}
        for items in statements.values():
            yield from _statement(project, path, items, functions, hoisted)


def _statement(
    project: Project, path: str, items: list[Import], functions: dict[str, Function], hoisted: dict[str, set[str]]
) -> Iterator[Finding]:
    first = items[0]
    around = [functions[name] for name in _scopes(first.scope) if name in functions]
    if (
        any("implement_for" in item.text for function in around for item in function.decorators)
        or first.scope == "__getattr__"
    ):
        return
    judged = [(item, reason) for item in items if (reason := _reason(project, path, item))]
    if not judged:
        return
    item, reason = judged[0]
    fix = None
    movable = all(each.hoists for _, each in judged) and len(judged) == len(items) and _is_free(project, path, items)
    if movable and _joins(project, path, items, hoisted):
        fix = (
            first.scope,
            first.module,
            first.level,
            tuple((each.name, each.bound) for each in items),
            _rank(project, first),
        )
    names = ", ".join(each.name or each.module for each, _ in judged[1:])
    message = reason.message + (f" (with it: {names})" if names else "")
    yield Finding(
        path,
        item.line,
        dotted(item).lstrip("."),
        message,
        reason.hint,
        text=_text(items),
        severity=reason.severity,
        column=item.column,
        end_line=item.end_line,
        fix=fix,
        verify=f'python -c "import {_module_name(path)}"',
    )


def _reason(project: Project, path: str, item: Import) -> _Reason | None:
    name = dotted(item)
    kind = INTERNAL if is_internal(project, item) else need(project, name)
    if kind == INTERNAL:
        return _internal(project, path, item)
    if kind == STANDARD:
        if item.module.partition(".")[0] in _SYSTEM or _asks_first(item):
            return None
        return _Reason(
            "", f"{name} is of the standard library and always there", "Move it to the top of the file.", True
        )
    if kind == OPTIONAL:
        if (
            newer_python(project, name)
            or catches(item.guards)
            or asks(project, path, name)
            or is_refused_above(project, path, name)
        ):
            return None
        flag = "_has_" + re.sub(r"\W", "_", item.module.partition(".")[0])
        brought = extras(project, name)
        where = f" (extra {', '.join(brought)})" if brought else ""
        return _Reason(
            "warning",
            f"{item.module.partition('.')[0]} is optional{where}, and nothing in the file asks whether it is there",
            f"Keep the import here, add {flag} = importlib.util.find_spec({item.module.partition('.')[0]!r}) is not None at the top "
            f"of the file, and raise an ImportError that says what to install where {flag} is false.",
            False,
        )
    if newer(project, name) or _asks_first(item) or asks(project, path, name):
        return None
    return _Reason(
        "", f"{distribution(name)} is required, so {name} is always there", "Move it to the top of the file.", True
    )


def _internal(project: Project, path: str, item: Import) -> _Reason | None:
    name = dotted(item)
    found = target(project, path, item)
    if found is None:
        if catches(item.guards) or _is_built(project, item):
            return None
        return _Reason(
            "",
            f"the package has no module {item.module}: the import fails when the function is called",
            "Correct the module's name.",
            False,
        )
    if (
        _asks_first(item)
        or on_demand(project, path, item)
        or comes_back(project, path, found)
        or missing(project, path, found)
    ):
        return None
    return _Reason(
        "",
        f"{name.lstrip('.')} is internal, imports nothing optional, and does not import {_module_name(path)} back",
        "Move it to the top of the file.",
        True,
    )


def _asks_first(item: Import) -> bool:
    """Whether an import stands under a try that catches its failure, or under a condition about what is there."""
    return catches(item.guards) or any(guard[:3] in ("if ", "els") and _ASKS.search(guard) for guard in item.guards)


def _is_built(project: Project, item: Import) -> bool:
    """Whether a module is made by the build: an extension or the version file."""
    last = item.module.rpartition(".")[2] or item.name
    return last in ("version", "_version") or last in (project.text("setup.py") or "")


def _is_free(project: Project, path: str, items: list[Import]) -> bool:
    """Whether the names that a statement binds can be bound at module level: they are free, or bound to the same.

    Another function may import something else by the name; which of them moves up is not for an edit to say.
    """
    index = bindings(project, path) or {}
    others = [other for item in items for other in index.get(("", item.bound), ())]
    others += [other for item in items for other in project.module(path).imports if other.bound == item.bound]
    asked = {(item.module, item.name, item.bound, item.level) for item in items}
    return all(
        isinstance(other, Import) and (other.module, other.name, other.bound, other.level) in asked for other in others
    )


def _joins(project: Project, path: str, items: list[Import], hoisted: dict[str, set[str]]) -> bool:
    """Whether a statement may move although others of the same run move, too; two of them could close a circle."""
    targets = {found for item in items if is_internal(project, item) and (found := target(project, path, item))}
    if any(comes_back(project, path, found, hoisted) for found in targets):
        return False
    hoisted.setdefault(path, set()).update(targets)
    return True


def _rank(project: Project, item: Import) -> int:
    """Which block of imports a statement belongs to: 1 the standard library, 2 other packages, 3 the package itself."""
    if is_internal(project, item):
        return 3
    return 1 if item.module.partition(".")[0] in sys.stdlib_module_names else 2


def _text(items: list[Import]) -> str:
    first = items[0]
    names = ", ".join(
        item.name if item.name == item.bound else f"{item.name or item.module} as {item.bound}" for item in items
    )
    return f"from {'.' * first.level}{first.module} import {names}" if first.name else f"import {names}"


def _scopes(scope: str) -> list[str]:
    parts = scope.split(".")
    return [".".join(parts[:cut]) for cut in range(1, len(parts) + 1)]


def _module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Moves the statement to the imports at the top, or drops it where they have it."""
    return hoist(module, *finding.fix, package=finding.path.partition("/")[0])
