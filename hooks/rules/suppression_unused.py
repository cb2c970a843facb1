"""A suppression or waiver that suppresses nothing.

What it protects: the next fault at the same place, which a left-over suppression would hide.

Bad:

    def test_step():  # preflight: ignore[gpu-marker-missing] runs in a job of its own
        assert step() == 1

Good:

    def test_step():
        assert step() == 1

How to fix: delete the comment, or the entry under ``[[tool.torchrl-preflight.waivers]]``. Only
suppressions of rules that ran are judged, and waivers only when the whole tree is.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding

SUMMARY = "A suppression or waiver suppresses nothing"
SEVERITY = "warning"
SECTION = ""
LAST = True


def check(change: Change) -> Iterator[Finding]:
    used = {finding.suppressed for finding in change.found}
    for path in change.judged:
        module = change.project.module(path) if path.endswith(".py") else None
        for item in module.suppressions if module else ():
            for rule in item.rules:
                if rule in change.ran and f"{path}:{item.line} {rule}" not in used:
                    yield Finding(
                        path, item.line, rule, f"{rule} finds nothing here to suppress",
                        "Delete the suppression.", text=rule,
                    )
    for waiver in change.project.profile.waivers if change.everything else ():
        if waiver.rule in change.ran and f"waiver {waiver.rule} {waiver.symbol}" not in used:
            yield Finding(
                "pyproject.toml", None, waiver.symbol, f"{waiver.rule} finds nothing to waive for {waiver.symbol}",
                "Delete the entry under [[tool.torchrl-preflight.waivers]].",
            )
