"""A change uses a name that the branch it is to be brought to does not have.

What it protects: patch releases. A fix that is picked onto a release branch applies without a conflict and fails there when it
calls a helper, a method or a keyword that came after the branch was cut.

It judges only with ``--target-branch BRANCH``. Looked at are the changed lines: names of the repository, methods of the class
around, keywords of known classes and functions. What the change itself brings, and what a tree defines somewhere else, does not
count; what cannot be resolved is left alone.

Bad: ``torchrl-lint --target-branch release/0.13.3`` on a fix whose test uses ``InstructionEnv``, which that branch has not.

Good: the fix and its test use only what both branches have.

How to fix: bring the commit that adds the name along, or write the lines without it on the branch.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding

SUMMARY = "A change uses a name that the branch it is to be brought to does not have"
SEVERITY = "advisory"
SECTION = ""
CHANGE_RULE = True


def check(change: Change) -> Iterator[Finding]:
    branch = change.target
    if branch is None:
        return
    from ..project.backport import missing

    for item in missing(change, branch):
        what = "The file is not there" if item.kind == "file" else f"{item.name} is not there"
        yield Finding(
            item.path,
            item.line,
            item.name,
            f"{what}, in {branch.tree.label}; {item.home} of the base has it",
            f"Bring along what adds it, or do without it on {branch.tree.label}.",
            text=f"{item.kind} {item.name}",
            derived_from=(item.home,),
        )
