"""Classes and functions that are on their way out: what documents or tests them is no longer worth asking for."""

from __future__ import annotations

import ast
import re

from ..facts.records import Class, Function
from . import Project
from .bodies import body, docstring
from .mro import methods

_MARK = re.compile(
    r"""^[rRuU]*["']{1,3}\s*(?:\.\. deprecated::|\[?\W*deprecated\b|this (?:class|function) is deprecated)""", re.I
)


def retired(project: Project, path: str, record: Class | Function) -> bool:
    """Whether a definition is marked as deprecated, or only raises when it is used."""
    if any("deprecat" in item.text.lower() for item in record.decorators):
        return True
    if _MARK.match(docstring(project, path, record).strip()):
        return True
    if isinstance(record, Function):
        return _raises(project, path, record)
    made = [methods(project, path).get(f"{record.qualname}.{name}", []) for name in ("__init__", "__new__")]
    found = [functions[-1] for functions in made if functions]
    own = sum(name.rpartition(".")[0] == record.qualname for name in methods(project, path))
    return bool(found) and own == len(found) and all(_raises(project, path, function) for function in found)


def _raises(project: Project, path: str, function: Function) -> bool:
    tree = body(project, path, function)
    statements = tree.body[function.doc is not None :] if tree else []
    return (
        bool(statements)
        and isinstance(statements[0], ast.Raise)
        and not any("abstract" in item.text for item in function.decorators)
    )
