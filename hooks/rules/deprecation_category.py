"""An announced change whose warning has no category or the wrong one.

What it protects: the reader. Without a category Python shows a UserWarning, a logger's line reaches no
warning filter, and with the wrong category a removal is shown to those who cannot act on it or a change
of behaviour hidden from those who must.

A removal or rename is a ``DeprecationWarning``; a default or a behaviour that changes is a
``FutureWarning``. Where a text speaks of both, either is right.

Bad:

    warnings.warn("`policy_weights` is deprecated and will be removed in v0.16.")

Good:

    warnings.warn(
        "`policy_weights` is deprecated and will be removed in v0.16. Use `policy_or_weights` instead.",
        DeprecationWarning,
        stacklevel=2,
    )

How to fix: give the category that the text calls for, and ``stacklevel=2`` so that the warning points
at the caller. What goes to a logger goes to ``warnings.warn`` instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from ..project import Project
from ..project.announcements import Announcement, announcements
from ..project.worlds import parse
from ._warn import Place, change_call, place, with_category, with_stacklevel

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "The warning of a deprecation or coming change has no category, or the wrong one"
SEVERITY = "error"
SECTION = "12"
CONCERNS = ("package",)
REPEATABLE = True
NEEDS = ("package",)

_REMOVAL, _CHANGE = "DeprecationWarning", "FutureWarning"
_PLAIN = ("UserWarning", "RuntimeWarning", "Warning", "ImportWarning", "SyntaxWarning", "ResourceWarning")


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["package"], ".py"):
        for item in announcements(project, path):
            if found := _fault(item):
                why, severity = found
                wanted = _wanted(item)
                yield Finding(
                    path,
                    item.line,
                    item.symbol,
                    f"{why}; this text calls for {wanted}",
                    f"Pass {wanted} and stacklevel=2 to warnings.warn.",
                    text=item.site.warn.call,
                    severity=severity,
                    end_line=item.site.warn.end_line,
                    fix=_edit(project, item, wanted),
                )


def _fault(item: Announcement) -> tuple[str, str] | None:
    """What is wrong with the category, and how certainly."""
    category = item.site.category
    leaving = item.leaving or item.gone
    if item.site.logger:
        return "it is announced through a logger, which no warning filter sees", "error"
    if category == "":
        return "it is announced without a category, so Python shows a UserWarning", "error"
    if category in _PLAIN:
        return (f"it is announced with {category}", "error") if leaving or item.switching else None
    if leaving and item.changing:
        return None
    if leaving and category == _CHANGE:
        return f"a removal is announced with {category}", "error" if item.gone else "warning"
    if leaving and category == "PendingDeprecationWarning":
        return f"it is announced with {category}, which nobody sees", "warning"
    if item.replaced and category == _CHANGE:
        return f"something that will be replaced is announced with {category}", "warning"
    if not leaving and item.switching and category in (_REMOVAL, "PendingDeprecationWarning"):
        return f"a change of behaviour is announced with {category}", "error"
    return None


def _wanted(item: Announcement) -> str:
    return _CHANGE if item.changing and not item.gone and not item.replaced else _REMOVAL


def _edit(project: Project, item: Announcement, wanted: str) -> tuple | None:
    module = project.module(item.path)
    imported = any(
        found.module == "warnings" and found.bound == "warnings" and not found.scope for found in module.imports
    )
    # A logger fills its message in, warnings.warn does not.
    call = parse(item.site.warn.call)
    bare = not item.site.logger or (imported and call is not None and len(call.args) == 1)
    if item.site.helper or not bare:
        return None
    return (*place(project, item.site), wanted)


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Puts the category, and a stacklevel, into the call."""
    *where, category = finding.fix
    return change_call(module, Place(*where), lambda call: with_stacklevel(with_category(call, category)))
