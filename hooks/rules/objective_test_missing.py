"""An objective that no test names.

What it protects: the objective. A loss is the part of an algorithm that is wrong without failing.

Bad: ``torchrl/objectives/my_loss.py`` with a class ``MyLoss``, and no file below ``test/`` that says ``MyLoss``.

Good: ``test/objectives/test_my_loss.py``, which also runs it with nested keys.

How to fix: add ``test_<algo>.py`` beside the tests of the other objectives. A brand-new objective is the one case
where a new test file is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project.mentions import mentioned
from ..project.modules import children
from .objective_accepted_keys import ROOT

SUMMARY = "An objective that no test names"
SEVERITY = "warning"
SECTION = "7"
CONCERNS = ("objectives",)
REPEATABLE = True
NEEDS = ("objectives", "tests")


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    for path in change.judged_under(project.profile["objectives"], ".py"):
        for record, _ in children(project, path, ROOT):
            if not record.name.startswith("_") and "." not in record.qualname and not mentioned(project, record.name):
                yield Finding(
                    path,
                    record.line,
                    record.qualname,
                    f"No test names the objective {record.name}",
                    f"Add test_{path.rpartition('/')[2]} beside the tests of other objectives, nested keys included.",
                    text="untested",
                )
