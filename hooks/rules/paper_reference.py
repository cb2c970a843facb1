"""A class docstring speaks of a paper and does not say where it is.

What it protects: the reader who wants to check an implementation against its source.

Bad:

    class MyLoss(LossModule):
        \"\"\"The loss of Doe et al.\"\"\"

Good:

    class MyLoss(LossModule):
        \"\"\"The loss of "A paper's title", Doe et al. (2024).

        https://arxiv.org/abs/2401.00001
        \"\"\"

How to fix: add title, authors and the arXiv link to the docstring.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding

SUMMARY = "A class docstring speaks of a paper without a link to it"
SEVERITY = "advisory"
SECTION = "8"
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["package"], ".py"):
        module = project.module(path)
        for item in module.citations if module else ():
            if not any(part.startswith("_") for part in item.scope.split(".")):
                yield Finding(
                    path,
                    item.line,
                    item.scope,
                    f"The docstring of {item.scope} says {item.words!r} and holds no link",
                    "Add the arXiv link and a short citation to the class docstring.",
                    text=item.words,
                )
