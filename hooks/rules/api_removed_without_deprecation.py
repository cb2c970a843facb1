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
from ..project import Project
from ..project.mro import mro
from ..project.public import place
from ..project.releases import at_release, released, upcoming
from ..project.successors import since, successor, users
from . import _shim
from ._breaks import Broken, unannounced

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "Something of the last release's public API is gone, and no release warned of it"
SEVERITY = "error"
SECTION = "12"
NEEDS = ("package",)
CHANGE_RULE = True

_GONE = {"method": "the method", "member": "the member", "parameter": "the parameter"}
_SHOWN = 5


def check(change: Change) -> Iterator[Finding]:
    for item in unannounced(change, "name", "method", "member", "parameter", "required"):
        yield _finding(change, item)


def _finding(change: Change, item: Broken) -> Finding:
    project, broken = change.project, item.broken
    old = at_release(project, item.release)
    still = users(project, broken)
    became = successor(old, project, broken)
    first = since(project, released(project), broken) or item.release.tag
    if broken.kind == "required":
        what = f"{broken.symbol} had the default {broken.was} in {item.release.tag} and is required now, and nothing warned of it"
    else:
        what = f"{_GONE.get(broken.kind, 'the name')} {broken.symbol} is public since {first} and gone, and {item.release.tag} did not warn"
    if became:
        what += f" ({became} seems to take its place)"
    if still:
        more = f" and {len(still) - _SHOWN} more" if len(still) > _SHOWN else ""
        what += f"; still used in {', '.join(still[:_SHOWN])}{more}"
    following = upcoming(project)
    target = f" for v0.{following + 2}" if following is not None else ""
    return Finding(
        broken.where[0], broken.where[1], broken.symbol, what,
        f"{'Give it a default again' if broken.kind == 'required' else 'Bring it back'} with a DeprecationWarning{target}, or waive {broken.symbol} with a reason under "
        "[[tool.torchrl-preflight.waivers]].",
        text=f"{broken.kind} {broken.symbol}", severity="warning" if _is_protocol(item, old) else "",
        also_touch=tuple(still), derived_from=(broken.here[0],) if broken.here else (),
        fix=_shim.plan(project, broken, became, following),
    )


def _is_protocol(item: Broken, old: Project) -> bool:
    """A protocol's methods are what others implement; taking one away breaks no implementation."""
    owner = place(old, item.broken.old) if item.broken.kind == "method" else None
    return owner is not None and any(link.name.rpartition(".")[2] == "Protocol" for link in mro(*owner))


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Brings the name or the parameter back with a warning."""
    return _shim.repair(module, finding.fix)
