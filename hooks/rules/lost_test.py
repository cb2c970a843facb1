"""A test is gone, and no file of the new tree has it any more.

What it protects: what the test protected. A diff shows what a change adds; a deleted test among moved ones passes unseen.

A test that stands under another name, in another class or file, in a base class, or merged into another test, is not
lost. What cannot be told (a class that does not resolve, a body of which some remains) is not reported.

Bad: ``test/test_weights.py`` is deleted while what it tested stays.

Good: the tests move with the code, or a commit of the change (or the pull request's body) says why they go:

    Removes-tests: the transports are private now, test_collectors.py runs them

How to fix: bring the test back, or say in a line ``Removes-tests: reason`` why it goes.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project.names import Definition, bindings
from ..project.survival import fates

SUMMARY = "A test is gone, and no file has it any more"
SEVERITY = "warning"
SECTION = ""
CHANGE_RULE = True

TRAILER = "Removes-tests"
_SHOWN = 4


def check(change: Change) -> Iterator[Finding]:
    gone = [fate.old for fate in fates(change) if fate.gone]
    if not gone:
        return
    from ..project.subjects import subjects
    from ..trailers import trailer

    reason = trailer(TRAILER, change.said)
    for test in gone:
        tested = subjects(change.before, test)
        names = list(dict.fromkeys(item.record.name for item in tested))
        left = list(dict.fromkeys(item.record.name for item in tested if not _stands(change, item)))
        about = f"; it tested {_some(names)}" if names else ""
        about += f" (gone, too: {_some(left)})" if left else ""
        yield Finding(
            test.path,
            test.line,
            test.symbol,
            f"The test is gone, and no file has it any more{about}",
            f"Bring it back, or say why it goes in a line '{TRAILER}: reason' of a commit or of the pull request.",
            text=test.symbol,
            verify=f'git show "{change.before.tree.label[:12]}:{test.path}"',
            suppressed=f"{TRAILER}: {reason}" if reason else "",
        )


def _stands(change: Change, item: Definition) -> bool:
    """Whether a name that the package defined is still defined: in its file, or in another that changed."""
    if item.path not in change.changed:
        return True
    package = change.project.profile["package"]
    return any(
        name == item.record.name and not scope
        for path in change.judged_under(package, ".py")
        for scope, name in bindings(change.project, path) or ()
    )


def _some(names: list[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
