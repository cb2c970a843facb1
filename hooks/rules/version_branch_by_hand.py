"""A comparison of another package's version, written by hand.

What it protects: ``implement_for`` keeps the versions of a function apart, each with the range that it is for,
and chooses once; a comparison in the middle of a function is easy to get wrong and never removed. Compared as
texts, "2.10" is older than "2.4".

Left alone: ``sys.version_info``, a test for the feature itself (``hasattr``, try), versions that are stored or
printed, and tests, which may skip by a version.

Bad:

    if torch.__version__ < "2.4":
        ...

Good:

    @implement_for("torch", None, "2.4")
    def _start(self): ...

    @implement_for("torch", "2.4")
    def _start(self): ...

How to fix: use implement_for, or ask for the feature. Where every supported version takes the same branch,
delete the comparison and the branch that is dead.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project.torch_symbols import floor, shown
from ..project.versions import Branch, branch

SUMMARY = "A version is compared by hand instead of with implement_for"
SEVERITY = "error"
SECTION = "2"
CONCERNS = ("package",)
REPEATABLE = True
NEEDS = ("package",)


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["package"], ".py"):
        module = project.module(path)
        for record in module.comparisons if module else ():
            found = branch(project, path, record) if record.use else None
            if found is not None:
                oldest = shown(floor(project))
                text = " ".join(record.text.split())
                yield Finding(
                    path,
                    record.line,
                    text,
                    _message(found, oldest),
                    _hint(found),
                    text=text,
                    column=record.column,
                    end_line=record.end_line,
                )


def _message(found: Branch, oldest: str) -> str:
    subject = f"The version of {found.package}" if found.package else "A package's version"
    parts = [f"{subject} is compared by hand"]
    if found.as_strings:
        parts.append('as texts, for which "2.10" is older than "2.4"')
    if found.always is not None:
        parts.append(f"and is always {str(found.always).lower()}: the oldest torch supported is {oldest}")
    return ", ".join(parts)


def _hint(found: Branch) -> str:
    if found.always is not None:
        dead = "the other branch" if found.always else "the branch"
        return f"Delete the comparison and {dead}, which no supported version takes."
    return f"Use implement_for({found.package or 'package'!r}, ...) for the versions of the function, or test for the feature with hasattr or try."
