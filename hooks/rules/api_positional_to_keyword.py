"""A parameter of the last release's public API can no longer be passed in its place.

What it protects: calls by position. A parameter that becomes keyword-only makes them fail; one put before
it, or another order, makes them pass their values to the wrong parameters, often without an error.

Bad:

    def make_composite(data, *, unsqueeze=True): ...   # was: (data, unsqueeze=True)

Good:

    def make_composite(data, *args, unsqueeze=True):
        if args:
            warnings.warn(
                "unsqueeze will be keyword-only in v0.16: passing it by position is deprecated.", DeprecationWarning, stacklevel=2
            )
            (unsqueeze,) = args

How to fix: put new parameters after the old ones or behind the star, and take old positions from ``*args`` with
a warning for two minor releases; or waive the change with a reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project.releases import upcoming
from ._breaks import unannounced

SUMMARY = "A parameter of the last release's public API can no longer be passed in its place"
SEVERITY = "error"
SECTION = "12"
CONCERNS = ("package",)
NEEDS = ("package",)
CHANGE_RULE = True


def check(change: Change) -> Iterator[Finding]:
    for broken, release, _ in unannounced(change, "positional"):
        following = upcoming(change.project)
        target = f" until v0.{following + 2}" if following is not None else ""
        keyword = broken.now == "by keyword only"
        what = "can only be passed by keyword now" if keyword else f"gives its place to {broken.now}"
        yield Finding(
            *broken.here,
            broken.symbol,
            f"{broken.symbol} could be passed by position in {release.tag} and {what}, and nothing warned of it",
            f"Take old positions from *args with a DeprecationWarning{target}."
            if keyword
            else f"Put {broken.now} after the parameters that were there, or behind the star.",
            text=f"positional {broken.symbol}",
        )
