"""A deprecation or coming change is announced without the release that brings it.

What it protects: the promise. Users plan by the release named, and maintainers enact by it: an
announcement for "soon" or "a future version" is never due, so it stays for years.

The release may stand in any literal piece of the message, in a constant or in what a helper is passed;
"deprecated since v0.4" is a beginning, not a target, and another package's version is none either.
``.. deprecated::`` in a docstring is held to the same (as a warning); the version beside it is the one in
which the deprecation began.

Bad:

    warnings.warn("LLMEnv is deprecated and will be removed soon.", DeprecationWarning, stacklevel=2)

Good:

    warnings.warn(
        "LLMEnv is deprecated and will be removed in v0.16. Use ChatEnv instead.", DeprecationWarning, stacklevel=2
    )

How to fix: name the release. With 0.N as the next release, a removal may come in 0.N+2 at the earliest
and a change of a default or a behaviour in 0.N+1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from ..project.announcements import Announcement, announcements, noted
from ..project.releases import upcoming
from ._warn import Place, change_call, place, with_release, with_stacklevel

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "A deprecation or coming change is announced without the release that brings it"
SEVERITY = "error"
SECTION = "12"
CONCERNS = ("package",)
REPEATABLE = True
NEEDS = ("package",)

_QUOTED = re.compile(r"[`'\"]+([\w.]+)[`'\"]+[^.]*\bdeprecat.*?\buse [`'\"]+([\w.]+)[`'\"]+", re.IGNORECASE | re.DOTALL)


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["package"], ".py"):
        for item in announcements(project, path):
            if not item.named:
                yield _unnamed(change, item)
            elif (found := _QUOTED.search(item.text)) and found[1] == found[2]:
                yield Finding(
                    path,
                    item.line,
                    item.symbol,
                    f"{found[1]!r} is named as its own replacement",
                    "Name what to use instead.",
                    text=item.site.warn.call,
                )
        for note in noted(project, path):
            if not note.named:
                yield _unnamed(change, note)._replace(severity="warning")


def _unnamed(change: Change, item: Announcement) -> Finding:
    removal = not item.changing or item.gone
    following = upcoming(change.project)
    release = f"v0.{following + 1 + removal}" if following is not None else ""
    earliest = (
        f" {release} is the earliest for {'a removal' if removal else 'a change'} announced now." if release else ""
    )
    fix = (
        (*place(change.project, item.site), release, removal)
        if release and item.site and not item.site.helper
        else None
    )
    words = re.search(r"\bsoon\b|\b(?:a )?future (?:versions?|releases?)\b|\beventually\b", item.text, re.IGNORECASE)
    return Finding(
        item.path,
        item.line,
        item.symbol,
        f"no release is named for what is announced{f', only {words[0]!r}' if words else ''}, so it never falls due",
        f"Name the release that brings the change.{earliest}",
        text=item.site.warn.call if item.site else item.text,
        end_line=item.site.warn.end_line if item.site else None,
        fix=fix,
    )


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Writes the earliest release that the schedule allows into the message."""
    *where, release, removal = finding.fix
    sentence = f"It will be removed in {release}." if removal else f"This will change in {release}."

    def named(call: cst.Call) -> cst.Call | None:
        new = with_release(call, release, sentence)
        return None if new is None else with_stacklevel(new)

    return change_call(module, Place(*where), named)
