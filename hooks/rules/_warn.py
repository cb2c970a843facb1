"""Edits of warn calls, shared by the rules about deprecations: the call found again, the house pattern written into it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ..concrete import change_definition
from ..project import Project
from ..project.messages import Site

if TYPE_CHECKING:
    import libcst as cst

_NAME = re.compile(r"warn|deprec", re.IGNORECASE)
_LATER = (
    (re.compile(r"\bsoon be (\w+)"), r"be \1 in {release}"),
    (re.compile(r"\b(deprecated|removed|disabled|replaced) soon\b"), r"\1 in {release}"),
    (re.compile(r"\b(?:a |the )?(?:near )?future (?:\w+ )?(?:versions?|releases?)\b"), "{release}"),
)


class Place(NamedTuple):
    """Where a file's syntax tree has a warn call.

    Args:
        scope: qualified name of the function or class around, "" for the module.
        occurrence: which definition of that name.
        order: how many statements named after warnings stand before it in the scope.
    """

    scope: str
    occurrence: int
    order: int


def place(project: Project, site: Site) -> Place:
    """Where the syntax tree has a site."""
    module = project.module(site.path)
    same = sorted(
        (item for item in (*module.functions, *module.classes) if item.qualname == site.warn.scope),
        key=lambda item: item.line,
    )
    around = [index for index, item in enumerate(same) if item.line <= site.warn.line <= item.end_line]
    if not around:
        return Place(site.warn.scope, 0, site.order)
    owner = same[around[0]]
    before = [
        warn for warn in module.warns if warn.scope == site.warn.scope and owner.line <= warn.line < site.warn.line
    ]
    return Place(site.warn.scope, around[0], len(before))


def change_call(module: cst.Module, where: Place, edit: Callable[[cst.Call], cst.Call | None]) -> cst.Module | None:
    """The module with one warn call edited; None where the edit has nothing to change."""
    import libcst as cst

    class Edit(cst.CSTTransformer):
        seen = -1

        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            return False

        def visit_ClassDef(self, node: cst.ClassDef) -> bool:
            return False

        def leave_Expr(self, original_node: cst.Expr, updated_node: cst.Expr) -> cst.Expr:
            call = updated_node.value
            if not isinstance(call, cst.Call) or not _NAME.search(_last_name(call.func)):
                return updated_node
            self.seen += 1
            new = edit(call) if self.seen == where.order else None
            return updated_node if new is None else updated_node.with_changes(value=new)

    def within(node: cst.FunctionDef | cst.ClassDef) -> cst.FunctionDef | cst.ClassDef:
        body = node.body.visit(Edit())
        return node if body.deep_equals(node.body) else node.with_changes(body=body)

    if where.scope:
        return change_definition(module, where.scope, where.occurrence, within)
    after = module.visit(Edit())
    return None if after.deep_equals(module) else after


def with_category(call: cst.Call, category: str) -> cst.Call:
    """The call to ``warnings.warn`` with a category, in place of the one that it has."""
    import libcst as cst

    if _is_logger(call):
        call = call.with_changes(func=cst.parse_expression("warnings.warn"))
    made = call.args[0].value if call.args else None
    if isinstance(made, cst.Call) and _last_name(made.func).endswith("Warning"):
        # The category beside an instance is ignored.
        first = call.args[0].with_changes(value=made.with_changes(func=cst.Name(category)))
        return call.with_changes(args=[first, *call.args[1:]])
    for index, argument in enumerate(call.args):
        if (argument.keyword is None and index == 1) or (
            argument.keyword is not None and argument.keyword.value == "category"
        ):
            arguments = list(call.args)
            arguments[index] = argument.with_changes(value=cst.Name(category))
            return call.with_changes(args=arguments)
    return _appended(call, "category", category)


def with_stacklevel(call: cst.Call) -> cst.Call:
    """The call with ``stacklevel=2``, so that the warning points at the caller, unless it has one."""
    given = {argument.keyword.value for argument in call.args if argument.keyword is not None}
    plain = [argument for argument in call.args if argument.keyword is None]
    if _is_logger(call) or "stacklevel" in given or len(plain) > 2 or any(argument.star for argument in call.args):
        return call
    return _appended(call, "stacklevel", "2")


def with_release(call: cst.Call, release: str, sentence: str) -> cst.Call | None:
    """The call with a release in its message: in place of "soon" or "a future version", else as a sentence at its end."""
    for pattern, template in _LATER:
        new = _with_text(call, partial(pattern.sub, template.format(release=release), count=1))
        if new is not None:
            return new
    return _with_last_text(
        call, lambda text: text + ("" if text.rstrip().endswith((".", "!")) else ".") + f" {sentence}"
    )


def with_target(call: cst.Call, old: int, new: int) -> cst.Call | None:
    """The call with one release of its message replaced by another."""
    return _with_text(call, lambda text: re.sub(rf"(?<![\w.])(v?)0\.{old}(?:\.\d+)?(?![\w%])", rf"\g<1>0.{new}", text))


def _with_text(call: cst.Call, change: Callable[[str], str]) -> cst.Call | None:
    """The call with the first literal piece of its message that ``change`` changes."""
    return _with_message(call, change, last=False)


def _with_last_text(call: cst.Call, change: Callable[[str], str]) -> cst.Call | None:
    return _with_message(call, change, last=True)


def _with_message(call: cst.Call, change: Callable[[str], str], last: bool) -> cst.Call | None:
    import libcst as cst

    def piece(node: cst.BaseExpression) -> cst.BaseExpression | None:
        if isinstance(node, cst.SimpleString):
            text = node.raw_value
            new = change(text)
            return None if new == text else node.with_changes(value=f"{node.prefix}{node.quote}{new}{node.quote}")
        if isinstance(node, cst.FormattedString):
            return formatted(node)
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "format":
            new = piece(node.func.value)
            return None if new is None else node.with_changes(func=node.func.with_changes(value=new))
        if isinstance(node, (cst.ConcatenatedString, cst.BinaryOperation)):
            filled = isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo)
            for side in ("left",) if filled else ("right",) if last else ("left", "right"):
                new = piece(getattr(node, side))
                if new is not None:
                    return node.with_changes(**{side: new})
        return None

    def formatted(node: cst.FormattedString) -> cst.FormattedString | None:
        parts = list(node.parts)
        if last and not (parts and isinstance(parts[-1], cst.FormattedStringText)):
            parts.append(cst.FormattedStringText(""))
        for index in (len(parts) - 1,) if last else range(len(parts)):
            part = parts[index]
            if isinstance(part, cst.FormattedStringText) and (new := change(part.value)) != part.value:
                parts[index] = part.with_changes(value=new)
                return node.with_changes(parts=parts)
        return None

    if not call.args or call.args[0].keyword is not None:
        return None
    new = piece(call.args[0].value)
    if new is None:
        return None
    return call.with_changes(args=[call.args[0].with_changes(value=new), *call.args[1:]])


def _appended(call: cst.Call, keyword: str, value: str) -> cst.Call:
    """The call with one more argument, on a line of its own where the others are."""
    import libcst as cst

    if not call.args:
        return call
    *before, last = call.args
    gap = call.whitespace_before_args
    between = gap if isinstance(gap, cst.ParenthesizedWhitespace) else cst.SimpleWhitespace(" ")
    trailing = isinstance(last.comma, cst.Comma)
    added = cst.Arg(
        cst.parse_expression(value),
        keyword=cst.Name(keyword),
        equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
        comma=last.comma if trailing or between is not gap else cst.Comma(whitespace_after=last.whitespace_after_arg),
        whitespace_after_arg=last.whitespace_after_arg if trailing or between is not gap else cst.SimpleWhitespace(""),
    )
    last = last.with_changes(comma=cst.Comma(whitespace_after=between), whitespace_after_arg=cst.SimpleWhitespace(""))
    return call.with_changes(args=[*before, last, added])


def _is_logger(call: cst.Call) -> bool:
    import libcst as cst

    return isinstance(call.func, cst.Attribute) and "log" in _source(call.func.value).lower()


def _last_name(node: cst.BaseExpression) -> str:
    import libcst as cst

    return node.attr.value if isinstance(node, cst.Attribute) else node.value if isinstance(node, cst.Name) else ""


def _source(node: cst.CSTNode) -> str:
    import libcst as cst

    return cst.Module([]).code_for_node(node)
