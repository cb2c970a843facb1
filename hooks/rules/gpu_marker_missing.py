"""A test that needs CUDA does not carry the gpu marker.

What it protects: the test. CPU jobs deselect what is marked gpu and GPU jobs select only that, so a
test that skips itself without CUDA and has no marker is skipped on the one and deselected on the
other: it never runs in the pull-request jobs and rots without a signal.

A gate counts wherever it is written: a ``skipif`` on the function, its class, its module or behind
an alias; a flag or a helper of another module; a fixture that skips; a body of which every path
ends in a skip; the ``marks=`` of one ``pytest.param``. A test that also runs on a CPU host
(``get_default_devices()``, ``"cuda" if ... else "cpu"``, a list with a CPU item) is left alone, and
so is one that a dedicated job collects on a GPU host without a marker filter.

Bad:

    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
    def test_kernel():
        ...

Good:

    @pytest.mark.gpu
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
    def test_kernel():
        ...

How to fix: put ``@pytest.mark.gpu`` where the gate is: on the function, the class, or in the
``marks=[...]`` of the row that needs CUDA. Where only the body decides by a parameter's value, give
that row a mark of its own instead of marking the whole test.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..concrete import change_definition
from ..facts.records import Class, Function, Module
from ..finding import Finding
from ..project import Project, jobs
from ..project.gates import Gate, body_rows, gates, row_gates
from ..project.tests import Test, marks, row_marks, rows
from ._tests import judged_tests

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "A test that needs CUDA has no gpu marker, so no pull-request job runs it"
SEVERITY = "error"
SECTION = "7a"
REPEATABLE = True
NEEDS = ("tests", "workflows")


def check(change: Change) -> Iterator[Finding]:
    marker = change.project.profile["gpu"]["marker"]
    for test in judged_tests(change):
        yield from _judge(change.project, test, marker)


def _judge(project: Project, test: Test, marker: str) -> Iterator[Finding]:
    names = {mark.name for mark in marks(project, test)}
    if marker in names:
        return
    found = gates(project, test)
    single = [] if found else row_gates(project, test)
    single = [gate for gate in single if marker not in _row_mark_names(project, gate)]
    depends = [] if found or single else body_rows(project, test)
    depends = [gate for gate in depends if not _row_mark_names(project, gate) & {marker, "skipif", "skip"}]
    if not (found or single or depends) or (found and _all_rows_marked(project, test, marker)):
        return
    if test.unresolved or not jobs.filters_by(project, marker) or _exempt(project, test, names):
        return
    if found:
        yield _whole(project, test, found[0], names, marker)
    for gate in single:
        yield _row(project, test, gate, names, marker)
    for gate in depends:
        yield _row(project, test, gate, names, marker)._replace(severity="advisory", fix=None)


def _whole(project: Project, test: Test, gate: Gate, names: set[str], marker: str) -> Finding:
    where = {
        "function": "by its own skipif",
        "class": "by its class's skipif",
        "module": "by its module's pytestmark",
    }.get(gate.owner, f"by its fixture {gate.owner}")
    if gate.kind == "body":
        where = "with its whole file" if gate.owner == "module" else "by its body"
    elif gate.kind == "guard":
        where = "because it is not even defined"
    target = {"class": "its class", "module": "the file, by pytestmark"}.get(gate.owner, "the test")
    return _finding(
        project,
        test,
        gate,
        names,
        marker,
        f"without CUDA it is skipped {where} ({_short(gate.text)})",
        f"Add @pytest.mark.{marker} to {target}.",
        _edit_of_whole(project, test, gate, marker),
    )


def _row(project: Project, test: Test, gate: Gate, names: set[str], marker: str) -> Finding:
    position, _ = gate.row
    return _finding(
        project,
        test,
        gate,
        names,
        marker,
        f"row {position + 1} of its parameters (line {gate.line}) is skipped without CUDA ({_short(gate.text)})",
        f"Add pytest.mark.{marker} to the marks of that pytest.param; leave the test itself unmarked.",
        _edit_of_row(project, test, gate, marker),
    )


def _finding(
    project: Project, test: Test, gate: Gate, names: set[str], marker: str, skipped: str, hint: str, fix: tuple | None
) -> Finding:
    from difflib import get_close_matches

    message = f"{skipped}{_skipping(project, test, names, marker)}, and {_deselected(project, test, names, marker)}: "
    message += "it never runs in the pull-request jobs"
    if typo := get_close_matches(marker, sorted(names - {"skip", "skipif", "slow"}), 1, 0.6):
        message += f"; its mark {typo[0]!r} looks like {marker!r} misspelt"
    others = {gate.path, test.home} - {test.path}
    return Finding(
        test.path,
        test.line,
        test.symbol,
        message,
        hint,
        text=gate.text,
        also_touch=tuple(sorted(others)) if fix is None else (),
        verify=f'python -m pytest --collect-only -q -m {marker} "{test.path}::{test.symbol}"',
        derived_from=tuple(sorted(others)),
        fix=fix,
    )


def _skipping(project: Project, test: Test, names: set[str], marker: str) -> str:
    """Names a job on a CPU host that collects the test and would not if it had the marker."""
    for run in jobs.runs(project):
        if not run.gpus and not jobs.collects(project, run, test.path, test.symbol, names):
            if jobs.collects(project, run, test.path, test.symbol, names | {marker}):
                return f" in {run.label}"
    return ""


def _deselected(project: Project, test: Test, names: set[str], marker: str) -> str:
    """Names a job that would collect the test if it had the marker, and does not because it has not."""
    for run in jobs.runs(project):
        if run.gpus and jobs.collects(project, run, test.path, test.symbol, names):
            if not jobs.collects(project, run, test.path, test.symbol, names | {marker}):
                return f"-m {marker} deselects it in {run.label}"
    return f"the GPU jobs select only what is marked {marker}"


def _exempt(project: Project, test: Test, names: set[str]) -> bool:
    return any(jobs.exempts(project, run, test.path, test.symbol, names) for run in jobs.runs(project))


def _row_mark_names(project: Project, gate: Gate) -> set[str]:
    return {mark.name for mark in row_marks(project, gate.row[1], gate.mark)}


def _all_rows_marked(project: Project, test: Test, marker: str) -> bool:
    """Whether the marker comes with every row of some parametrization."""
    return any(
        (found := rows(mark)) and all(marker in {own.name for own in row_marks(project, row, mark)} for row in found)
        for mark in marks(project, test)
        if mark.name == "parametrize"
    )


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 80 else text[:77] + "..."


# The edit: ("decorate", qualified name, occurrence, position among the decorators, mark) or
# ("row", qualified name, occurrence, position of the parametrize decorator, row, mark).


def _edit_of_whole(project: Project, test: Test, gate: Gate, marker: str) -> tuple | None:
    if gate.owner == "module":
        return None
    owner: Class | Function = test.function
    home = test.home
    if gate.owner == "class":
        home, owner = next(
            (
                (path, cls)
                for path, cls in test.classes
                if path == gate.path
                and (cls.line == gate.line or any(item.line == gate.line for item in cls.decorators))
            ),
            (home, owner),
        )
    mark = _spelled(project.module(home), marker)
    if home != test.path or mark is None:
        return None
    before = [position for position, item in enumerate(owner.decorators) if item.line == gate.line]
    return ("decorate", owner.qualname, _occurrence(project.module(home), owner), before[0] if before else 0, mark)


def _edit_of_row(project: Project, test: Test, gate: Gate, marker: str) -> tuple | None:
    owner: Class | Function = test.function
    if gate.owner == "class":
        owner = next(
            (cls for path, cls in test.classes if any(item.line == gate.mark.line for item in cls.decorators)), owner
        )
    mark = _spelled(project.module(test.path), marker)
    position = [index for index, item in enumerate(owner.decorators) if item.line == gate.mark.line]
    if test.home != test.path or mark is None or not position:
        return None
    return ("row", owner.qualname, _occurrence(project.module(test.path), owner), position[0], gate.row[0], mark)


def _spelled(module: Module, marker: str) -> str | None:
    """The marker by the file's own name for pytest."""
    name = next(
        (item.bound for item in module.imports if item.module == "pytest" and not item.name and not item.scope), None
    )
    return f"{name}.mark.{marker}" if name else None


def _occurrence(module: Module, owner: Class | Function) -> int:
    same = sorted(item.line for item in (*module.functions, *module.classes) if item.qualname == owner.qualname)
    return same.index(owner.line)


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Adds the marker as a decorator, or to the marks of one row."""
    kind, qualname, occurrence, position, *rest = finding.fix
    if kind == "decorate":
        return change_definition(module, qualname, occurrence, lambda node: _decorated(node, position, *rest))
    return change_definition(module, qualname, occurrence, lambda node: _with_row(node, position, *rest))


def _decorated(node: cst.FunctionDef | cst.ClassDef, position: int, mark: str) -> cst.FunctionDef | cst.ClassDef:
    import libcst as cst

    if any(_source(item.decorator) == mark for item in node.decorators):
        return node
    decorators = list(node.decorators)
    decorators.insert(position, cst.Decorator(cst.parse_expression(mark)))
    return node.with_changes(decorators=decorators)


def _with_row(
    node: cst.FunctionDef | cst.ClassDef, position: int, row: int, mark: str
) -> cst.FunctionDef | cst.ClassDef:
    import libcst as cst

    decorator = node.decorators[position]
    call = decorator.decorator
    for index, argument in enumerate(call.args if isinstance(call, cst.Call) else ()):
        if isinstance(argument.value, (cst.List, cst.Tuple)) and row < len(argument.value.elements):
            elements = list(argument.value.elements)
            marked = _marked(elements[row].value, mark)
            if marked is None:
                continue
            elements[row] = elements[row].with_changes(value=marked)
            arguments = list(call.args)
            arguments[index] = argument.with_changes(value=argument.value.with_changes(elements=elements))
            decorators = list(node.decorators)
            decorators[position] = decorator.with_changes(decorator=call.with_changes(args=arguments))
            return node.with_changes(decorators=decorators)
    return node


def _marked(param: cst.BaseExpression, mark: str) -> cst.BaseExpression | None:
    """``pytest.param(..., marks=X)`` with the mark in front of X; None for anything else."""
    import libcst as cst

    if not isinstance(param, cst.Call):
        return None
    arguments = list(param.args)
    for index, argument in enumerate(arguments):
        if argument.keyword is None or argument.keyword.value != "marks":
            continue
        added = cst.Element(cst.parse_expression(mark))
        value = argument.value
        if isinstance(value, (cst.List, cst.Tuple)):
            if any(_source(element.value) == mark for element in value.elements):
                return None
            gap = getattr(value, "lbracket", None)
            # In a list of one element a line, the line break before the first is the one between two.
            between = (
                gap.whitespace_after
                if gap is not None and "\n" in cst.Module([]).code_for_node(gap)
                else cst.SimpleWhitespace(" ")
            )
            added = added.with_changes(comma=cst.Comma(whitespace_after=between))
            value = value.with_changes(elements=[added, *value.elements])
        else:
            added = added.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
            value = cst.List([added, cst.Element(value)])
        arguments[index] = argument.with_changes(value=value)
        return param.with_changes(args=arguments)
    return None


def _source(node: cst.CSTNode) -> str:
    import libcst as cst

    return cst.Module([]).code_for_node(node)
