"""A suppression without a reason, or one that names no rule of this tool.

What it protects: whoever reads the line next. A suppression says "this finding is known and wrong
here", and only its reason lets a reviewer agree. There is no blanket form.

Bad:

    def test_step():  # preflight: ignore[gpu-marker-missing]
    def test_step():  # preflight: ignore
    def test_step():  # preflight: ignore[gpu-marker-mising] runs in a job of its own

Good:

    def test_step():  # preflight: ignore[gpu-marker-missing] runs in the nightly job of isaac

How to fix: name the rule in brackets and say why after them. ``torchrl-lint rules`` lists the names.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..suppress import written
from ._find import names

SUMMARY = "A suppression has no reason or names no rule"
SEVERITY = "error"
SECTION = ""


def check(change: Change) -> Iterator[Finding]:
    known = set(names())
    for path, items in written(change).items():
        for item in items:
            unknown = [rule for rule in item.rules if rule not in known]
            if not item.rules:
                message, hint = "this suppression names no rule", "Write ignore[rule-name] and the reason."
            elif unknown:
                message, hint = f"no rule is called {unknown[0]!r}", "Take a name from: torchrl-lint rules"
            elif not item.reason:
                message, hint = (
                    "this suppression gives no reason",
                    "Say after the brackets why the finding is wrong here.",
                )
            else:
                continue
            yield Finding(path, item.line, ",".join(item.rules), message, hint, text=",".join(item.rules))
    for waiver in change.project.profile.waivers if change.everything else ():
        if not waiver.reason:
            yield Finding(
                "pyproject.toml",
                None,
                waiver.symbol,
                f"the waiver of {waiver.rule} for {waiver.symbol} gives no reason",
                'Add reason = "..." to the entry.',
            )
