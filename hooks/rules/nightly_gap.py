"""A workflow or job that the nightly run was meant to have and never does.

What it protects: the only run of many suites between two releases. A workflow that nobody calls, and a job whose condition is
false on a schedule, look like coverage on every list of jobs.

In a workflow that is called, ``github.event_name`` is the event of its caller: a nightly orchestrator is started by
``schedule``, so a condition that waits for ``workflow_call`` never holds. What cannot be evaluated is not reported.

Bad:

    if: github.event_name == 'push' || github.event_name == 'workflow_call'

Good:

    if: github.event_name == 'push' || github.event_name == 'schedule'

How to fix: call the workflow from the orchestrator or drop its ``workflow_call``; ask for the caller's event in a condition.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding

SUMMARY = "The nightly run was meant to have a workflow or job and never does"
SEVERITY = "warning"
SECTION = "7b"
CONCERNS = ("workflows",)
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    if not change.judged_under(project.profile["workflows"]):
        return
    from ..project.nightly import gaps

    for gap in gaps(project):
        if gap.kind == "uncalled":
            message = (
                f"No workflow calls it, and nothing else starts it at night; {gap.others[0]} calls {gap.calls} others"
            )
            hint = f"Call it from {gap.others[0]}, or drop workflow_call."
        elif gap.kind == "called":
            by = f" by {', '.join(gap.others)}" if gap.others else ""
            message = f"The job is skipped every night: its workflow is called{by} on a schedule, and there "
            message += "github.event_name is schedule, never the workflow_call that its condition waits for"
            hint = "Ask for schedule, or for anything but pull_request, in the condition."
        else:
            message = "The job's condition asks for a schedule, and nothing starts its workflow on one"
            hint = "Add a schedule, call the workflow from one that has it, or drop the condition."
        yield Finding(
            gap.path, gap.line, gap.name, message, hint, text=f"{gap.kind} {gap.name}", also_touch=gap.others[:1]
        )
