"""A change that only the suite on the oldest torch can judge.

What it protects: users on the oldest torch supported. Their suite runs on a pull request only with a label; without it
the break lands on the main branch and is found days later.

The label is called for by new lines (moved ones do not count) in the package or in tests that the suite collects:

* a name or keyword of torch that is newer than the oldest torch; with a guard, so that the fallback runs
* ``implement_for("torch", ...)``, a comparison of torch's version, ``hasattr(torch, ...)``, torch imported in a try
* a new test that compiles and has no version in its marks
* ``find_spec`` of a dotted name

and by a change to the suite itself or to the requirements of torch and tensordict. Documentation, examples and
implementations do not call for it. Methods are seen where a constructor or an annotation tells the object's class.

Bad: ``torch.get_default_device()`` in a new line, pushed without the label.

Good: the same, pushed with ``ci/olddeps`` set.

How to fix: set the label when the pull request is opened. Where no guard chooses another way on the oldest torch,
write one: implement_for, hasattr or try.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project.added import added
from ..project.suites import covers, is_about_language_models, own_files, requirement_files
from ..project.torch_symbols import floor, shown
from ..project.torch_uses import uses
from ._label import Reason, label_finding

SUMMARY = "The change needs the suite on the oldest torch"
SEVERITY = "advisory"
SECTION = "7b"
CHANGE_RULE = True

_REQUIREMENT = re.compile(r"[\"']?(?:torch|tensordict)(?:-nightly)?\s*(?:[<>=~!]=?|@)")


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    oldest = shown(floor(project)) if added(change) else ""
    reasons = [Reason(path, None, "it belongs to the suite") for path in own_files(change, "olddeps")]
    for path, line, text in requirement_files(change):
        if _REQUIREMENT.search(text):
            reasons.append(Reason(path, line, "it says which torch or tensordict is required"))
    unguarded = False
    for path, lines in added(change).items():
        if is_about_language_models(path):
            continue
        found = uses(project, path, lines)
        for use in found if found and covers(project, path, "olddeps") else ():
            state = ""
            if use.guarded is not None:
                state = (
                    f", and nothing takes another way on {oldest}"
                    if not use.guarded
                    else f", and only {oldest} runs the other way"
                )
                unguarded = unguarded or not use.guarded
            reasons.append(Reason(path, use.line, use.reason + state))
    if reasons:
        yield label_finding(change, "olddeps", reasons, "warning" if unguarded else "")
