"""Moving an import out of a function, on the concrete syntax tree."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import libcst as cst

Names = tuple[tuple[str, str], ...]


def hoist(
    module: cst.Module, scope: str, source: str, level: int, names: Names, rank: int, package: str
) -> cst.Module | None:
    """The module with one import of a function at its top.

    Args:
        scope: qualified name of the function.
        source: module that is imported; level and names as in the record of the import.
        names: (name, bound) of each name; the name of a plain ``import`` is "".
        rank: block of imports that it belongs to: 1 the standard library, 2 other packages, 3 the package.

    Returns:
        None where the statement cannot be moved as it stands.
    """
    from ..concrete import change_definition

    wanted = (source, level, names)
    taken: list[cst.SimpleStatementLine] = []
    occurrence = 0
    # Several functions of one name are told apart by which of them has the statement.
    while True:
        visited: list[object] = []

        def take(node: cst.FunctionDef, visited: list[object] = visited) -> cst.FunctionDef:
            visited.append(node)
            return _without(node, wanted, taken)

        changed = change_definition(module, scope, occurrence, take)
        if changed is not None or not visited:
            break
        occurrence += 1
    if changed is None or not taken:
        return None
    if any(_asks_for(line) == wanted for line in module.body):
        return changed
    return _with_import(changed, taken[0], rank, package)


def _without(node: cst.FunctionDef, wanted: tuple, taken: list[cst.SimpleStatementLine]) -> cst.FunctionDef:
    """The function without the first statement that imports what is wanted; empty blocks get a ``pass``."""
    import libcst as cst

    class Taker(cst.CSTTransformer):
        def leave_SimpleStatementLine(self, original, updated):
            if not taken and _asks_for(original) == wanted:
                taken.append(original)
                return cst.RemoveFromParent()
            return updated

        def leave_IndentedBlock(self, original, updated):
            if not updated.body:
                return updated.with_changes(body=[cst.SimpleStatementLine([cst.Pass()])])
            first = updated.body[0]
            if taken and original.body[0] is taken[0]:
                # A block does not begin with an empty line.
                lines = list(first.leading_lines)
                while lines and lines[0].comment is None:
                    lines.pop(0)
                return updated.with_changes(body=[first.with_changes(leading_lines=lines), *updated.body[1:]])
            return updated

    updated = node.visit(Taker())
    return updated if taken else node


def _asks_for(line: cst.CSTNode) -> tuple | None:
    """(module, level, names) of a line that is one import statement and nothing else."""
    import libcst as cst

    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    statement = line.body[0]
    if isinstance(statement, cst.ImportFrom) and not isinstance(statement.names, cst.ImportStar):
        source = _dotted(statement.module) if statement.module else ""
        names = tuple((_dotted(alias.name), alias.evaluated_alias or _dotted(alias.name)) for alias in statement.names)
        return source, len(statement.relative), names
    if isinstance(statement, cst.Import) and len(statement.names) == 1:
        source = _dotted(statement.names[0].name)
        return source, 0, (("", statement.names[0].evaluated_alias or source.partition(".")[0]),)
    return None


def _with_import(module: cst.Module, line: cst.SimpleStatementLine, rank: int, package: str) -> cst.Module | None:
    """The module with a line among its imports: in its block, plain imports before the others, by name."""
    import libcst as cst

    own = (rank, *_order(line))
    bound = {name for _, name in _asks_for(line)[2]}
    after, before = -1, None
    for position, other in enumerate(module.body):
        if position == 0 and _is_docstring(other):
            after = 0
            continue
        asked = _asks_for(other) or _several(other)
        if asked is None:
            break
        if bound & {name for _, name in asked[2]}:
            return None
        other_rank = _rank(asked, package)
        if (other_rank, *_order(other)) <= own:
            after, before = position, other_rank
    body = list(module.body)
    comments = [each for each in line.leading_lines if each.comment is not None]
    blank = cst.EmptyLine(indent=False)
    # What begins a block is set apart from the one above it.
    space = [blank] if after >= 0 and before != rank else []
    if after + 1 < len(body):
        following = body[after + 1]
        asked = _asks_for(following) or _several(following)
        lines = following.leading_lines if asked is not None else ()
        if asked is not None and _rank(asked, package) == rank and space and lines and lines[0].comment is None:
            body[after + 1] = following.with_changes(leading_lines=lines[1:])
        elif (asked is not None and _rank(asked, package) > rank and not lines) or (after < 0 and asked is None):
            body[after + 1] = following.with_changes(leading_lines=[blank, *following.leading_lines])
    body.insert(after + 1, line.with_changes(leading_lines=[*space, *comments]))
    return module.with_changes(body=body)


def _order(line: cst.SimpleStatementLine) -> tuple[bool, str]:
    """Where an import belongs within its block."""
    import libcst as cst

    asked = _asks_for(line) or _several(line)
    return isinstance(line.body[0], cst.ImportFrom), asked[0].lower()


def _several(line: cst.CSTNode) -> tuple | None:
    """As ``_asks_for``, for the imports that it does not take apart."""
    import libcst as cst

    if isinstance(line, cst.SimpleStatementLine) and all(
        isinstance(item, (cst.Import, cst.ImportFrom)) for item in line.body
    ):
        item = line.body[0]
        if isinstance(item, cst.Import):
            return _dotted(item.names[0].name), 0, ()
        return _dotted(item.module) if item.module else "", len(item.relative), ()
    return None


def _rank(asked: tuple, package: str) -> int:
    top = asked[0].partition(".")[0]
    if asked[1] or top == package:
        return 3
    if top == "__future__":
        return 0
    return 1 if top in sys.stdlib_module_names else 2


def _is_docstring(line: cst.CSTNode) -> bool:
    import libcst as cst

    return (
        isinstance(line, cst.SimpleStatementLine)
        and len(line.body) == 1
        and isinstance(line.body[0], cst.Expr)
        and isinstance(line.body[0].value, (cst.SimpleString, cst.ConcatenatedString))
    )


def _dotted(node: cst.BaseExpression) -> str:
    import libcst as cst

    return f"{_dotted(node.value)}.{node.attr.value}" if isinstance(node, cst.Attribute) else node.value
