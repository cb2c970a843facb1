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

import re
from collections.abc import Iterator

from ..change import Change
from ..facts.records import Citation
from ..finding import Finding
from ..project import Project
from ..project.bodies import docstring
from ..project.mro import mro

SUMMARY = "A class docstring speaks of a paper without a link to it"
SEVERITY = "advisory"
SECTION = "8"
CONCERNS = ("package",)
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["package"], ".py"):
        module = project.module(path)
        for item in module.citations if module else ():
            if not any(part.startswith("_") for part in item.scope.split(".")) and not _is_of_base(project, path, item):
                yield Finding(
                    path,
                    item.line,
                    item.scope,
                    f"The docstring of {item.scope} says {item.words!r} and holds no link",
                    "Add the arXiv link and a short citation to the class docstring.",
                    text=item.words,
                )


def _is_of_base(project: Project, path: str, item: Citation) -> bool:
    """Whether the paper is that of a base, which the docstring names and which has the link."""
    if "paper" not in item.words.lower():
        return False
    record = next(
        each for each in project.module(path).classes if (each.qualname, each.line) == (item.scope, item.line)
    )
    text = docstring(project, path, record)
    return any(
        link.record is not None
        and re.search(rf"\b{link.record.name}\b", text)
        and re.search(r"https?://|arxiv", docstring(link.project, link.path, link.record), re.IGNORECASE)
        for link in mro(project, path, record)[1:]
    )
