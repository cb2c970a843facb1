"""Something of the last release's public API is gone, and no release warned of it.

What it protects: everybody's code. A name, a method, a parameter or a Config's field that a release had
may go after two minor releases of warning; gone without one, it breaks users at an upgrade that promised
nothing.

Compared is the newest 0.N.0 (a release branch with its own line) and what its patch releases added, by
public path: re-exports, aliases, lazy module attributes and moved modules are followed, and a parameter
that went to an inherited ``__init__`` or into ``**kwargs`` is still there. A name born and gone between
two releases is free. A parameter with a default that has become required counts as gone.

Bad:

    class Collector:
        def update(self, worker_ids=None): ...   # was: workers

Good:

    class Collector:
        def update(self, worker_ids=None, *, workers=None):
            if workers is not None:
                warnings.warn(
                    "workers is deprecated and will be removed in v0.16. Use worker_ids instead.",
                    DeprecationWarning,
                    stacklevel=2,
                )
                worker_ids = workers

How to fix: bring it back with a warning (the edit does where the successor can be seen), or waive it in the
target's configuration with a reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from ._breaks import unannounced

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "Something of the last release's public API is gone, and no release warned of it"
SEVERITY = "error"
SECTION = "12"
CONCERNS = ("package",)
NEEDS = ("package",)
CHANGE_RULE = True


def check(change: Change) -> Iterator[Finding]:
    for item in unannounced(change, "name", "method", "member", "parameter", "required"):
        from ._gone import finding  # a change that takes nothing away does not pay for it

        yield finding(change, item)


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Brings the name or the parameter back with a warning."""
    from . import _shim

    return _shim.repair(module, finding.fix)
