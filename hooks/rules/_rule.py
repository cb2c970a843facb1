"""What a rule is: one file of this folder, seen from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding

if TYPE_CHECKING:
    import libcst


class Rule:
    """A rule's file with its constants.

    Args:
        name: the file's name with dashes.
        module: holds SUMMARY, SEVERITY, SECTION, ``check`` and the docstring; optionally ``repair``,
            CHANGE_RULE (judges only what lies between two trees), LAST (judges what the others found),
            REPEATABLE (its findings follow from the files of the trees and the installed packages) and NEEDS
            (keys of the profile that name a folder or file without which there is nothing to judge).
    """

    def __init__(self, name: str, module: ModuleType) -> None:
        self.name = name
        self.summary: str = module.SUMMARY
        self.severity: str = module.SEVERITY
        self.section: str = module.SECTION
        self.documentation: str = (module.__doc__ or "").strip()
        self.change_rule: bool = getattr(module, "CHANGE_RULE", False)
        self.needs: tuple[str, ...] = getattr(module, "NEEDS", ())
        self.repeatable: bool = getattr(module, "REPEATABLE", False)
        self.last: bool = getattr(module, "LAST", False)
        self.check: Callable[[Change], Iterator[Finding]] = module.check
        self.repair: Callable[[libcst.Module, Finding], libcst.Module | None] | None = getattr(module, "repair", None)
