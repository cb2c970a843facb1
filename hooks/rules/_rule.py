"""What a rule is: one file of this folder, seen from outside."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..change import Change
from ..finding import Finding

if TYPE_CHECKING:
    import libcst

_CONSTANT = re.compile(r"^([A-Z_]+) = (.+)$", re.MULTILINE)


class Rule:
    """A rule's file with its constants, which are read from its text: only a rule that is asked to judge is imported.

    Args:
        name: the file's name with dashes.
        path: the file. It holds SUMMARY, SEVERITY, SECTION, ``check`` and the docstring; optionally ``repair``,
            CHANGE_RULE (judges only what lies between two trees), LAST (judges what the others found),
            REPEATABLE (its findings follow from the files of the trees and the installed packages), NEEDS
            (keys of the profile that name a folder or file without which there is nothing to judge), CONCERNS
            (likewise, of which a change must touch one for the rule to have anything to say) and DOCSTRINGS (reads
            all docstrings of the package). A constant is a literal on one line.
    """

    def __init__(self, name: str, path: Path) -> None:
        self._constants = dict(_CONSTANT.findall(path.read_text("utf-8")))
        self.name = name
        self.summary: str = self._constant("SUMMARY")
        self.severity: str = self._constant("SEVERITY")
        self.section: str = self._constant("SECTION")
        self.change_rule: bool = self._constant("CHANGE_RULE", False)
        self.needs: tuple[str, ...] = self._constant("NEEDS", ())
        self.concerns: tuple[str, ...] = self._constant("CONCERNS", ())
        self.repeatable: bool = self._constant("REPEATABLE", False)
        self.last: bool = self._constant("LAST", False)
        self.docstrings: bool = self._constant("DOCSTRINGS", False)

    def _constant(self, name: str, default: Any = "") -> Any:
        return ast.literal_eval(self._constants[name]) if name in self._constants else default

    @cached_property
    def _module(self) -> ModuleType:
        return import_module(f".{self.name.replace('-', '_')}", __package__)

    @property
    def documentation(self) -> str:
        return (self._module.__doc__ or "").strip()

    @property
    def check(self) -> Callable[[Change], Iterator[Finding]]:
        return self._module.check

    @property
    def repair(self) -> Callable[[libcst.Module, Finding], libcst.Module | None] | None:
        return getattr(self._module, "repair", None)

    def concerned(self, change: Change) -> bool:
        """Whether a change may touch what the rule is about."""
        if change.everything or not self.concerns:
            return True
        places = [change.project.profile[key] for key in self.concerns]
        return any(path == place or path.startswith(place + "/") for place in places for path in change.changed)
