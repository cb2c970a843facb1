"""A tensordict key is annotated ``str`` although any ``NestedKey`` would do.

What it protects: users with nested tensordicts, whose keys are tuples of strings.

Judged are parameters named ``..._key`` or ``..._keys`` whose value reaches ``get``, ``set`` or ``[...]`` of something
that is called a tensordict, in the function or, once it is an attribute, in its class. Configs are left alone: Hydra
has no type for nested keys.

Bad:

    def __init__(self, reward_key: str = "reward"):
        self.reward_key = reward_key

    def forward(self, tensordict):
        return tensordict.get(self.reward_key)

Good:

    def __init__(self, reward_key: NestedKey = "reward"):
        ...

How to fix: ``from tensordict import NestedKey``, and annotate with it; test with a tuple as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..facts.records import Class, Function, Module
from ..finding import Finding
from ..project import Project
from ..project.bodies import lines
from ..project.modules import method_of
from ._annotations import annotate, occurrence

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "A tensordict key is annotated str instead of NestedKey"
SEVERITY = "advisory"
SECTION = "5"
CONCERNS = ("package",)
REPEATABLE = True

_NAME = re.compile(r"\w+_keys?")
_HOLDER = re.compile(r"(?:tensordict|td)\w*$")
_STRING = re.compile(r"\bstr\b")
_WORDS = re.compile(r"[\w.]+")
_ANNOTATION = frozenset(
    ("str", "None", "Optional", "Union", "list", "List", "tuple", "Tuple", "Sequence", "typing.Sequence")
)


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["package"], ".py"):
        module = project.module(path)
        if module is None or path.startswith(project.profile["configs"] + "/"):
            continue
        for function in module.functions:
            for item in function.parameters:
                words = set(_WORDS.findall(item.annotation))
                if not _NAME.fullmatch(item.name) or "str" not in words or not words <= _ANNOTATION:
                    continue
                if _reaches(project, path, module, function, item.name):
                    yield Finding(
                        path,
                        function.line,
                        f"{function.qualname}.{item.name}",
                        f"{item.name} is a tensordict key and annotated {item.annotation}, so a nested key looks wrong",
                        "Annotate it with NestedKey.",
                        text=f"{item.name}: {item.annotation}",
                        fix=_fix(module, function, item.name, item.annotation),
                    )


def _reaches(project: Project, path: str, module: Module, function: Function, name: str) -> bool:
    place = method_of(module, function.qualname)
    holder: Class | Function = place[0] if place else function
    text = "".join(lines(project, path)[holder.line - 1 : holder.end_line])
    own = "".join(lines(project, path)[function.line - 1 : function.end_line])
    stored = re.search(rf"\bself\.(_?{name})\b(?:\s*:[^=\n]+)?\s*=\s*{name}\b", own)
    return _is_key(name, own) or (stored is not None and _is_key(f"self.{stored[1]}", text))


def _is_key(name: str, text: str) -> bool:
    """Whether something that is called a tensordict is asked for the name's value."""
    asked = re.compile(
        rf"(?:\.(?:get|set|set_|pop|get_at|set_at_)\(\s*|\[\s*|\.select\(\s*\*){re.escape(name)}\s*[,)\]]"
    )
    return any(_HOLDER.search(text, max(0, match.start() - 60), match.start()) for match in asked.finditer(text))


def _fix(module: Module, function: Function, name: str, annotation: str) -> tuple | None:
    if not any(
        item.name == item.bound == "NestedKey" and not item.scope and not item.guards for item in module.imports
    ):
        return None
    return function.qualname, occurrence(module, function), name, _STRING.sub("NestedKey", annotation)


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Writes NestedKey for str, in files that import it already."""
    return annotate(module, *finding.fix)
