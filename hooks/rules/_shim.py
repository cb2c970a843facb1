"""The house pattern for what goes: still there for two minor releases, with a warning that names its end.

A vanished export with a known successor comes back through the module's ``__getattr__``, a renamed parameter
as a keyword that fills its successor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..concrete import change_definition
from ..facts.records import Class
from ..project import Project
from ..project.api import Break
from ..project.mro import methods
from ..project.public import find, place

if TYPE_CHECKING:
    import libcst as cst

_RAISE = 'raise AttributeError(f"module {__name__!r} has no attribute {name!r}")'


def plan(project: Project, broken: Break, successor: str, following: int | None) -> tuple | None:
    """Plain values for ``repair``; None where nothing can be brought back without guessing."""
    if not successor or following is None or broken.where[0] not in project.tree:
        return None
    release = f"v0.{following + 2}"
    if broken.kind == "name":
        return ("name", broken.public, successor, release)
    return _of_parameter(project, broken, successor, release) if broken.kind == "parameter" else None


def repair(module: cst.Module, fix: tuple) -> cst.Module | None:
    """The module with the name or the parameter brought back."""
    kind, *rest = fix
    return _with_name(module, *rest) if kind == "name" else _with_parameter(module, *rest)


def _of_parameter(project: Project, broken: Break, successor: str, release: str) -> tuple | None:
    owner = place(project, find(project, broken.public))
    if owner is None or owner.project is not project or owner.path != broken.where[0]:
        return None
    qualname = owner.record.qualname
    member = broken.member.rpartition(".")[0]
    if isinstance(owner.record, Class):
        qualname += f".{member or '__init__'}"
    defined = methods(project, owner.path).get(qualname, [])
    taken = next((item for item in defined[-1].parameters if item.name == successor), None) if defined else None
    # A required successor would have to be given twice.
    if taken is None or taken.default is None or any(item.kind == "**" for item in defined[-1].parameters):
        return None
    name, imported = broken.symbol.rpartition(".")[2], _imports_warnings(project, owner.path)
    return ("parameter", qualname, len(defined) - 1, name, successor, release, imported)


def _imports_warnings(project: Project, path: str) -> bool:
    return any(
        item.module == "warnings" and item.bound == "warnings" and not item.scope
        for item in project.module(path).imports
    )


def _with_name(module: cst.Module, public: str, successor: str, release: str) -> cst.Module | None:
    import libcst as cst

    name = public.rpartition(".")[2]
    home, _, leaf = successor.rpartition(".")
    block = (
        f"if name == {name!r}:\n    import warnings\n\n    from {home} import {leaf}\n\n    warnings.warn(\n"
        f'        "{public} is deprecated and will be removed in {release}. Use {successor} instead.",\n'
        f"        DeprecationWarning,\n        stacklevel=2,\n    )\n    return {leaf}\n"
    ).replace(repr(name), f'"{name}"')

    def answering(node: cst.FunctionDef) -> cst.FunctionDef:
        parameter = node.params.params[0].name.value if node.params.params else ""
        if parameter != "name" or f'"{name}"' in cst.Module([]).code_for_node(node):
            return node
        return node.with_changes(body=node.body.with_changes(body=[cst.parse_statement(block), *node.body.body]))

    if any(isinstance(node, cst.FunctionDef) and node.name.value == "__getattr__" for node in module.body):
        return change_definition(module, "__getattr__", 0, answering)
    lines = "".join(f"    {line}" if line.strip() else line for line in block.splitlines(keepends=True))
    added = cst.parse_module(f"def __getattr__(name):\n{lines}    {_RAISE}\n", config=module.config_for_parsing).body[0]
    blank = cst.EmptyLine(indent=False)
    return module.with_changes(body=[*module.body, added.with_changes(leading_lines=[blank, blank])])


def _with_parameter(
    module: cst.Module, qualname: str, occurrence: int, name: str, successor: str, release: str, imported: bool
) -> cst.Module | None:
    import libcst as cst

    call = (
        f'warnings.warn(\n    "{name} is deprecated and will be removed in {release}. Use {successor} instead.",\n'
        "    DeprecationWarning,\n    stacklevel=2,\n)\n"
    )
    lines = "".join(f"    {line}\n" for line in ([] if imported else ["import warnings", ""]) + call.splitlines())
    block = f"if {name} is not None:\n{lines}    {successor} = {name}\n".replace("    \n", "\n")

    def taking(node: cst.FunctionDef) -> cst.FunctionDef:
        params = node.params
        given = [item.name.value for item in (*params.posonly_params, *params.params, *params.kwonly_params)]
        if name in given or not isinstance(node.body, cst.IndentedBlock):
            return node
        equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
        added = cst.Param(cst.Name(name), default=cst.Name("None"), equal=equal)
        star = params.star_arg if isinstance(params.star_arg, (cst.Param, cst.ParamStar)) else cst.ParamStar()
        body = list(node.body.body)
        start = int(node.get_docstring() is not None)
        body.insert(start, cst.parse_statement(block))
        params = params.with_changes(star_arg=star, kwonly_params=[*params.kwonly_params, added])
        return node.with_changes(params=params, body=node.body.with_changes(body=body))

    return change_definition(module, qualname, occurrence, taking)
