"""An announced change whose release has come, and which was not made.

What it protects: the announcement's worth. A removal that is announced for 0.13 and still there in 0.14
teaches users that dates mean nothing; and code that waits to be removed is read, tested and kept in step.

The release is that of the version file, which is bumped before the cut. "Through v0.14" means the release
after it. A docstring that promises something for a release that has come is a warning: often only the text
is stale. So is everything that a change of the version file makes overdue (the release manager decides),
and an overdue warning that is deleted while all around it stays as it was.

Bad, in 0.14:

    warnings.warn("`env` is deprecated and will be removed in v0.12. Use `base_env`.", DeprecationWarning)

Good:

    raise TypeError("`env` was removed in v0.14. Use `base_env`.")

How to fix: make the change that was announced, and delete the warning with it; or move the target and
say why in the pull request. Nothing is deleted by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..change import Change
from ..facts.records import Function
from ..finding import Finding
from ..project import Project
from ..project.announcements import Announcement, announcements, noted
from ..project.bodies import source
from ..project.releases import current

SUMMARY = "The release for which a change is announced has come, and the change was not made"
SEVERITY = "error"
SECTION = "12"
CONCERNS = ("package", "version-file")
REPEATABLE = True
NEEDS = ("package",)


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    package = project.profile["package"]
    before = _bumped_from(change)
    paths = change.judged_under(package, ".py") if before is None else project.tree.paths(package, ".py")
    for path in paths:
        for item in (*announcements(project, path), *noted(project, path)):
            # Asked for only here: without announcements a tree needs no version.
            if item.target is not None and (version := current(project)) is not None and item.target <= version:
                yield _overdue(project, item, version, before)
    for path in change.judged_under(package, ".py"):
        if change.before is not None and path in change.changed and path in change.before.tree:
            yield from _dropped(change, path)


def _bumped_from(change: Change) -> int | None:
    """The version of the base, where the change raises it."""
    path = change.project.profile["version-file"]
    if change.before is None or path not in change.changed:
        return None
    old, new = current(change.before), current(change.project)
    return old if old is not None and new is not None and new > old else None


def _overdue(project: Project, item: Announcement, version: int, before: int | None) -> Finding:
    where = project.profile["version-file"]
    bumped = before is not None and item.target > before
    why = f"it is announced for v0.{item.target} and {where} says 0.{version}"
    if bumped:
        why += f" since this change (0.{before} before)"
    return Finding(
        item.path,
        item.line,
        item.symbol,
        why,
        "Make the change that the docstring promises, or correct the text."
        if item.site is None
        else "Make the change that it announces and delete the warning, or move the release that it names.",
        text=item.site.warn.call if item.site else item.text,
        severity="warning" if bumped or item.site is None else "",
        end_line=item.site.warn.end_line if item.site else None,
        derived_from=(where,),
    )


def _dropped(change: Change, path: str) -> Iterator[Finding]:
    """Warnings that were overdue and went alone, out of a function that otherwise stayed as it was."""
    new, old = change.project, change.before
    left = Counter(item.text for item in announcements(new, path))
    for item in announcements(old, path):
        left[item.text] -= 1
        if left[item.text] >= 0 or item.target is None:
            continue
        version = current(new)
        if version is None or item.target > version:
            continue
        here, there = _function(new, path, item.symbol), _function(old, path, item.symbol)
        if here is None or there is None or here.parameters != there.parameters:
            continue
        lines, lines_before = (Counter(source(*side).splitlines()) for side in ((new, path, here), (old, path, there)))
        length = item.site.warn.end_line - item.site.warn.line + 1
        if not lines - lines_before and (lines_before - lines).total() <= length + 1:
            yield Finding(
                path,
                here.line,
                item.symbol,
                f"the warning of a change due in v0.{item.target} is deleted, and nothing else in "
                f"{item.symbol} is changed",
                "Make the change that was announced, or say why it is called off.",
                text=item.text,
                severity="warning",
            )


def _function(project: Project, path: str, symbol: str) -> Function | None:
    module = project.module(path)
    return next((item for item in module.functions if item.qualname == symbol), None) if module else None
