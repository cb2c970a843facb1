"""A change that only the suite without optional packages can judge.

What it protects: users who installed the required packages alone. The suite that installs nothing else runs on a
pull request only with a label; without it a missing guard lands on the main branch.

The label is called for where a change, in the package or in tests that the suite collects,

* adds, removes or moves an import, ``find_spec``, ``importorskip`` or ``import_module`` of an optional package
  (in tests at module level)
* lets a test lose the skip that it has without a package
* renames a module with such an import, or exports one from a package's ``__init__``

or changes what pyproject.toml or setup.py require, or the suite itself. The body of an integration is judged by the
labels of its own job.

Bad: ``_has_ray = importlib.util.find_spec("ray") is not None`` in a new module, pushed without the label.

Good: the same, pushed with ``ci/optdeps`` set.

How to fix: set the label when the pull request is opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project.added import removed
from ..project.optional_uses import changes, lost_skips
from ..project.pyproject import pyproject
from ..project.suites import own_files, requirement_files
from ._label import Reason, label_finding

SUMMARY = "The change needs the suite without optional packages"
SEVERITY = "advisory"
SECTION = "7b"
CHANGE_RULE = True

_SKIPS = re.compile(r"skip|_has_|_available")


def check(change: Change) -> Iterator[Finding]:
    reasons = [Reason(path, None, "it belongs to the suite") for path in own_files(change, "optdeps")]
    reasons += _requirements(change)
    reasons += [Reason(*found) for found in changes(change)]
    if any(map(_SKIPS.search, removed(change))):
        reasons += [Reason(*found) for found in lost_skips(change)]
    if reasons:
        yield label_finding(change, "optdeps", reasons)


def _requirements(change: Change) -> Iterator[Reason]:
    """Files whose requirements differ."""
    lines = list(requirement_files(change))
    if any(path != "setup.py" for path, _, _ in lines):
        tables = [pyproject(side).get("project", {}) for side in (change.project, change.before)]
        here, there = [{key: table.get(key) for key in ("dependencies", "optional-dependencies")} for table in tables]
        if here != there:
            yield Reason(lines[0][0], lines[0][1], "it says which packages are required and which optional")
    for path, line, text in lines:
        if path == "setup.py" and re.search(r"_requires|_dep\b", text):
            yield Reason(path, line, "it says which packages are required and which optional")
            return
