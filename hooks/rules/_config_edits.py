"""Edits of a Config's fields and of the factory behind them, on the concrete tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..concrete import change_definition
from ..facts.records import Class
from ..project import Project
from ..project.configs import Config, classes, configs, target
from ..project.factories import Build, factory
from ..project.mro import Place, mro
from ..project.parity import Difference
from ..project.signatures import Argument, signature
from ..project.values import Value, value_of

if TYPE_CHECKING:
    import libcst as cst

_SIMPLE = ("int", "float", "str", "bool")


def new_field(project: Project, config: Config, item: Difference) -> tuple | None:
    """What ``add_field`` needs; None where the class's default cannot be written in a Config."""
    argument = item.argument
    if (
        item.severity != "error"
        or (argument.default is None and argument.origin == "popped")
        or _children_refuse(project, config, argument.name)
    ):
        return None
    module = project.module(config.path)
    bound = {imported.bound for imported in module.imports}
    written = _written(_value(argument), argument.default)
    if written is None and argument.default is None:
        written = "MISSING" if "MISSING" in bound else "None"
    if written is None:
        return None
    annotation = _annotation(argument, written)
    if annotation == "Any" and "Any" not in bound:
        return None
    call: tuple[str, ...] = ()
    where = ""
    if item.factory is not None:
        build = _listing(project, config, argument.name)
        if build is not None:
            if build.place.path != config.path or written == "MISSING":
                return None
            where, call = build.place.record.qualname, tuple(build.passed)
    return config.name, argument.name, annotation, written, where, call


def new_default(config: Config, item: Difference) -> tuple | None:
    """What ``set_default`` needs; None where the field is a parent's or the default cannot be written."""
    field = config.field(item.name)
    if item.severity == "advisory" or item.argument is None or (field.path, field.owner) != (config.path, config.name):
        return None
    written = _written(_value(item.argument), item.argument.default)
    return None if written is None else (config.name, item.name, written)


def add_field(
    module: cst.Module, owner: str, name: str, annotation: str, written: str, where: str, call: Sequence[str]
) -> cst.Module | None:
    """The module with a field after the last one of a Config, and passed on by a factory that lists its keywords."""
    module = change_definition(module, owner, 0, lambda node: _with_field(node, name, annotation, written)) or module
    if where:
        edited = change_definition(module, where, 0, lambda node: _passing(node, name, written, call))
        module = edited or module
    return module


def set_default(module: cst.Module, owner: str, name: str, written: str) -> cst.Module | None:
    """The module with another default for a field."""
    import libcst as cst

    def edit(node: cst.ClassDef) -> cst.ClassDef:
        body = list(node.body.body)
        for at in reversed(range(len(body))):
            if _field_name(body[at]) == name:
                line = body[at]
                field = line.body[0]
                annotation = cst.Annotation(
                    cst.parse_expression(_admitting(cst.Module([]).code_for_node(field.annotation.annotation), written))
                )
                if annotation.annotation.deep_equals(field.annotation.annotation):
                    annotation = field.annotation
                new = field.with_changes(
                    annotation=annotation, value=cst.parse_expression(written), equal=cst.AssignEqual()
                )
                body[at] = line.with_changes(body=[new, *line.body[1:]])
                return node.with_changes(body=node.body.with_changes(body=body))
        return node

    return change_definition(module, owner, 0, edit)


def _admitting(annotation: str, written: str) -> str:
    """The annotation, widened where OmegaConf would refuse the default under it."""
    kinds = {part.strip() for part in annotation.split("|")}
    if "Any" in kinds or annotation.startswith("Optional["):
        return annotation
    if written == "None":
        return annotation if "None" in kinds else f"{annotation} | None"
    kind = type(ast.literal_eval(written)).__name__
    return annotation if kind in kinds or (kind == "int" and "float" in kinds) or kind not in _SIMPLE else "Any"


def _children_refuse(project: Project, config: Config, name: str) -> bool:
    """Whether a field would be inherited by a Config of which the class does not take it."""
    return any(
        signature(*place).argument(name) is None
        for child in _children(project).get((config.path, config.name), ())
        for place in classes(project, child)
    )


def _children(project: Project) -> dict[tuple[str, str], list[Config]]:
    """(file, name) of a Config -> those that inherit its fields."""
    if "config children" not in project.memo:
        found: dict[tuple[str, str], list[Config]] = {}
        for config in configs(project):
            for link in mro(project, config.path, config.record)[1:]:
                found.setdefault((link.path, link.name), []).append(config)
        project.memo["config children"] = found
    return project.memo["config children"]


def _value(argument: Argument) -> Value:
    return value_of(argument.project, argument.path, argument.default, argument.owner)


def _written(value: Value, default: str | None) -> str | None:
    """A default as a Config can hold it: immutable, and without a name from the class's file."""
    if value.kind == "literal":
        if isinstance(value.value, dict) or value.value is Ellipsis:
            return None
        # As the class writes it (1e-8, 100_000), unless that is a name or a mutable list.
        plain = default and re.fullmatch(r"[-+\d._eE]+|\"[^\"\\]*\"|'[^'\\]*'|True|False|None", default)
        return default if plain else repr(value.value)
    if value.kind == "name" and (tail := value.value.rpartition(".")[2]).isupper():
        return f'"{tail}"'  # A member of an enumeration goes by its name.
    return None


def _annotation(argument: Argument, written: str) -> str:
    simple = [part.strip() for part in re.sub(r"^Optional\[(.*)\]$", r"\1 | None", argument.annotation).split("|")]
    kinds = [part for part in simple if part != "None"]
    if len(kinds) == 1 and kinds[0] in _SIMPLE and written != "MISSING":
        return f"{kinds[0]} | None" if written == "None" else kinds[0]
    if written in ("True", "False"):
        return "bool"
    return "Any"


def _listing(project: Project, config: Config, name: str) -> Build | None:
    """The call of a factory that lists the keywords it passes, without this one."""
    place = target(project, config)
    for way in factory(place).ways if isinstance(place, Place) and not isinstance(place.record, Class) else ():
        if way.result and not way.result.rest and name not in way.result.passed:
            return way.result
    return None


def _field_name(statement: Any) -> str:
    import libcst as cst

    if isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[0], cst.AnnAssign):
        found = statement.body[0].target
        return found.value if isinstance(found, cst.Name) else ""
    return ""


def _with_field(node: cst.ClassDef, name: str, annotation: str, written: str) -> cst.ClassDef:
    import libcst as cst

    body = list(node.body.body)
    names = [_field_name(item) for item in body]
    if name in names:
        return node
    public = [at for at, found in enumerate(names) if found and not found.startswith("_")]
    private = [at for at, found in enumerate(names) if found.startswith("_")]
    at = public[-1] + 1 if public else private[-1] + 1 if private else len(body)
    body.insert(at, cst.parse_statement(f"{name}: {annotation} = {written}"))
    return node.with_changes(body=node.body.with_changes(body=body))


def _passing(node: cst.FunctionDef, name: str, written: str, call: Sequence[str]) -> cst.FunctionDef:
    """A factory with one more pop after its last one, and one more keyword in the call with these keywords."""
    import libcst as cst

    class Add(cst.CSTTransformer):
        done = False

        def leave_Call(self, original: cst.Call, updated: cst.Call) -> cst.Call:
            words = {item.keyword.value for item in updated.args if item.keyword}
            if self.done or not call or not words.issuperset(call) or name in words:
                return updated
            self.done = True
            last = updated.args[-1]
            comma = updated.args[-2].comma if len(updated.args) > 1 else _between(updated)
            added = last.with_changes(keyword=cst.Name(name), value=cst.Name(name))
            return updated.with_changes(args=[*updated.args[:-1], last.with_changes(comma=comma), added])

    adding = Add()
    edited = node.visit(adding)
    pops = [at for at, item in enumerate(edited.body.body) if _pops(item)]
    if not adding.done or not pops:
        return node
    body = list(edited.body.body)
    body.insert(pops[-1] + 1, cst.parse_statement(f'{name} = kwargs.pop("{name}", {written})'))
    return edited.with_changes(body=edited.body.with_changes(body=body))


def _between(call: cst.Call) -> cst.Comma:
    """The comma after the only argument of a call: on to the next line where that one stands on its own."""
    import libcst as cst

    gap = call.whitespace_before_args
    return cst.Comma(
        whitespace_after=gap if isinstance(gap, cst.ParenthesizedWhitespace) else cst.SimpleWhitespace(" ")
    )


def _pops(statement: Any) -> bool:
    import libcst as cst

    return isinstance(statement, cst.SimpleStatementLine) and "kwargs.pop(" in cst.Module([]).code_for_node(statement)
