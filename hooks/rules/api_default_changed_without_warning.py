"""A default of the last release's public API is another one, and no release warned of it.

What it protects: code that relies on a default. It runs on after the upgrade and does something else, which
nobody notices. A change of a default is announced with a FutureWarning one minor release before.

Defaults are compared as values: a constant in place of its literal is no change, nor is None where the body
puts the old value in its place. A bug fix or parity with another class does not make the change less of
one; it is a reason for a waiver. Values that cannot be computed here and differ in their text are a warning.

Bad:

    class Collector:
        def __init__(self, env, *, extend_buffer=True): ...   # was: False

Good, one minor release before:

    class Collector:
        def __init__(self, env, *, extend_buffer=None):
            if extend_buffer is None:
                warnings.warn(
                    "The default of extend_buffer will change from False to True in v0.15.", FutureWarning, stacklevel=2
                )
                extend_buffer = False

How to fix: keep the old value behind a FutureWarning until the release that it names, or waive the change in
the target's configuration with a reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project.releases import upcoming
from ._breaks import unannounced

SUMMARY = "A default of the last release's public API is another one, and no release warned of it"
SEVERITY = "error"
SECTION = "12"
CONCERNS = ("package",)
NEEDS = ("package",)
CHANGE_RULE = True


def check(change: Change) -> Iterator[Finding]:
    for broken, release, _ in unannounced(change, "default"):
        following = upcoming(change.project)
        target = f" for v0.{following + 1}" if following is not None else ""
        old, new = (" ".join(text.split()) for text in (broken.was, broken.now))
        yield Finding(
            *broken.here,
            broken.symbol,
            f"the default of {broken.symbol} is {old} in {release.tag} and {new} now, and nothing warned of it",
            f"Keep {old} behind a FutureWarning{target}, or waive {broken.symbol} with a reason under "
            "[[tool.torchrl-preflight.waivers]].",
            text=f"default {broken.symbol}",
            severity="" if broken.certain else "warning",
        )
