"""Library code measures a duration by hand.

What it protects: one way to measure. ``timeit`` collects its numbers, can be switched off, and is no
obstacle to ``torch.compile``; a pair of clock readings is none of these.

Only a difference of two readings that is logged, stored or returned counts. Deadlines and timeouts,
where the difference is compared or subtracted from something, do not, and neither does a loop that tells
how long it has been running.

Bad:

    t0 = time.time()
    self.push_weights()
    torchrl_logger.debug(f"pushed in {time.time() - t0}s")

Good:

    with timeit("push_weights"):
        self.push_weights()

How to fix: put what is measured under ``with timeit("name"):`` and read it with ``timeit.print()`` or
``timeit.todict()``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..change import Change
from ..facts.records import Function
from ..finding import Finding
from ..project import Project
from ..project.bodies import body, lines
from ..project.names import lookup
from ..project.worlds import dotted_name

SUMMARY = "Library code measures a duration by hand instead of with timeit"
SEVERITY = "warning"
SECTION = "3"
CONCERNS = ("package",)
REPEATABLE = True

_CLOCKS = ("time.time", "time.perf_counter")


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    timer = project.profile["timer"]
    for path in change.judged_under(project.profile["package"], ".py"):
        for function, line, node in _measured(project, path):
            text = ast.unparse(node)
            yield Finding(
                path,
                line,
                function.qualname,
                f"{text} measures a duration by hand",
                f'Put what is measured under with {timer}("..."):.',
                text=text,
            )


def _measured(project: Project, path: str) -> Iterator[tuple[Function, int, ast.BinOp]]:
    module = project.module(path)
    if module is None or not any(item.module == "time" for item in module.imports):
        return
    text = lines(project, path)
    for function in module.functions:
        if any("time()" in line or "perf_counter()" in line for line in text[function.line - 1 : function.end_line]):
            node = body(project, path, function)
            for found in _differences(project, path, function, node) if node else ():
                yield function, function.line + found.lineno - node.lineno, found


def _differences(
    project: Project, path: str, function: Function, node: ast.FunctionDef | ast.AsyncFunctionDef
) -> Iterator[ast.BinOp]:
    own = list(_own(node))
    readings = {
        target.id
        for item in own
        if isinstance(item, ast.Assign) and _is_reading(project, path, function, item.value)
        for target in item.targets
        if isinstance(target, ast.Name)
    }
    limits = {
        name.id
        for item in own
        if isinstance(item, ast.Compare)
        for name in ast.walk(item)
        if isinstance(name, ast.Name)
    }
    inner = {
        id(part)
        for item in own
        if isinstance(item, (ast.Compare, ast.BinOp))
        for part in ast.walk(item)
        if part is not item
    }
    for item in own:
        if isinstance(item, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id in limits for target in item.targets
        ):
            inner.add(id(item.value))
    loops = [item for item in own if isinstance(item, (ast.For, ast.AsyncFor, ast.While))]
    inner |= {id(item) for loop in loops for item in _so_far(loop)}
    for item in own:
        if isinstance(item, ast.BinOp) and isinstance(item.op, ast.Sub) and id(item) not in inner:
            start = isinstance(item.right, ast.Name) and item.right.id in readings
            end = _is_reading(project, path, function, item.left) or (
                isinstance(item.left, ast.Name) and item.left.id in readings
            )
            if start and end:
                yield item


def _so_far(loop: ast.For | ast.AsyncFor | ast.While) -> Iterator[ast.BinOp]:
    """Differences in a loop from a reading before it: what has passed while the loop still runs, which timeit cannot tell."""
    own = list(_own(loop))
    within = {
        target.id
        for item in own
        if isinstance(item, ast.Assign)
        for target in item.targets
        if isinstance(target, ast.Name)
    }
    for item in own:
        if isinstance(item, ast.BinOp) and isinstance(item.right, ast.Name) and item.right.id not in within:
            yield item


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """A function's nodes without those of functions in it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield from _own(child)


def _is_reading(project: Project, path: str, function: Function, node: ast.expr) -> bool:
    name = dotted_name(node.func) if isinstance(node, ast.Call) else None
    meant = lookup(project, path, name, function.qualname) if name else None
    return meant is not None and not meant.path and meant.name in _CLOCKS
