"""A suppression or waiver that suppresses nothing.

What it protects: the next fault at the same place, which a left-over suppression would hide.

Bad:

    def test_step():  # preflight: ignore[gpu-marker-missing] runs in a job of its own
        assert step() == 1

Good:

    def test_step():
        assert step() == 1

How to fix: delete the comment, or the entry under ``[[tool.torchrl-preflight.waivers]]``. Only
suppressions of rules that ran are judged, and waivers only when the whole tree is. Rules that judge
only what lies between two trees find nothing once the change is in, so theirs are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..suppress import written
from ._find import rule

SUMMARY = "A suppression or waiver suppresses nothing"
SEVERITY = "warning"
SECTION = ""
LAST = True


def check(change: Change) -> Iterator[Finding]:
    used = {finding.suppressed for finding in change.found}
    ran = {name for name in change.ran if not rule(name).change_rule}
    for path, items in written(change).items():
        for item in items:
            for name in item.rules:
                if name in ran and f"{path}:{item.line} {name}" not in used:
                    yield Finding(
                        path,
                        item.line,
                        name,
                        f"{name} finds nothing here to suppress",
                        "Delete the suppression.",
                        text=name,
                    )
    for waiver in change.project.profile.waivers if change.everything else ():
        if waiver.rule in ran and f"waiver {waiver.rule} {waiver.symbol}" not in used:
            yield Finding(
                "pyproject.toml",
                None,
                waiver.symbol,
                f"{waiver.rule} finds nothing to waive for {waiver.symbol}",
                "Delete the entry under [[tool.torchrl-preflight.waivers]].",
            )
