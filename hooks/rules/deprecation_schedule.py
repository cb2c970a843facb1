"""A change is announced for a release too soon for the notice that users get.

What it protects: two minor releases of warning. With 0.N as the next release, a removal or rename may come
in 0.N+2 at the earliest, a change of a default or a behaviour in 0.N+1; later is always fine.

Judged are announcements that a change adds or rewrites. The next release is that of the version file as
long as it has no tag, the one after it from then on. What is taken away before the release that its
warning named is reported here, too.

Bad, with 0.14 as the next release:

    warnings.warn("`env` is deprecated and will be removed in v0.15. Use `base_env`.", DeprecationWarning)

Good:

    warnings.warn("`env` is deprecated and will be removed in v0.16. Use `base_env`.", DeprecationWarning)

How to fix: name the earliest release that the schedule allows, or a later one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from ..project.announcements import Announcement, announcements
from ..project.releases import released, upcoming
from ._breaks import too_early
from ._warn import Place, change_call, place, with_target

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "A change is announced for a release too soon for the notice that users get"
SEVERITY = "error"
SECTION = "12"
CONCERNS = ("package",)
NEEDS = ("package",)
CHANGE_RULE = True


def check(change: Change) -> Iterator[Finding]:
    for broken, _, said in too_early(change):
        path, line = broken.here if broken.kind in ("default", "positional") else broken.where
        yield Finding(
            path,
            line,
            broken.symbol,
            f"this is announced for v0.{said.target} ({said.path}:{said.line}) and is done before",
            f"Leave it until v0.{said.target}.",
            text=f"{broken.kind} {broken.symbol}",
        )
    for item in _added(change):
        # Asked for only here: a change without announcements needs no tags.
        following = upcoming(change.project)
        if following is None:
            return
        earliest = following + (2 if item.removal else 1)
        if item.target < earliest:
            yield _finding(change, item, following, earliest)
        elif item.target == earliest and not released(change.project):
            change.project.note(
                f"no release tags here (git fetch --tags): whether v0.{item.target} is too soon for "
                f"{item.path}:{item.line} was judged as if 0.{following} were not released"
            )


def _added(change: Change) -> list[Announcement]:
    """Announcements with a target that no changed file of the base has, in this file or another."""
    package = change.project.profile["package"]
    paths = sorted(path for path in change.changed if path.startswith(package + "/") and path.endswith(".py"))
    new = [item for path in paths for item in announcements(change.project, path) if item.target is not None]
    if not new:
        return []
    old = Counter(item.text for path in paths for item in announcements(change.before, path))
    added = []
    for item in new:
        old[item.text] -= 1
        if old[item.text] < 0:
            added.append(item)
    return added


def _finding(change: Change, item: Announcement, following: int, earliest: int) -> Finding:
    what = "a removal" if item.removal else "a change of a default or a behaviour"
    fix = None if item.site.helper else (*place(change.project, item.site), item.target, earliest)
    return Finding(
        item.path,
        item.line,
        item.symbol,
        f"v0.{item.target} is too soon for {what} announced now: the next release is 0.{following}",
        f"Name v0.{earliest} or a later release.",
        text=item.site.warn.call,
        end_line=item.site.warn.end_line,
        fix=fix,
        derived_from=(change.project.profile["version-file"],),
    )


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Moves the release that the message names to the earliest that the schedule allows."""
    *where, old, new = finding.fix
    return change_call(module, Place(*where), lambda call: with_target(call, old, new))
