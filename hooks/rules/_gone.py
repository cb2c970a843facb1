"""The finding about something that is gone: since when it was public, what it became, who still uses it, and its edit."""

from __future__ import annotations

from ..change import Change
from ..finding import Finding
from ..project import Project
from ..project.mro import mro
from ..project.public import place
from ..project.releases import at_release, released, upcoming
from ..project.successors import since, successor, users
from ._breaks import Broken
from ._shim import plan

_GONE = {"method": "the method", "member": "the member", "parameter": "the parameter"}
_SHOWN = 5


def finding(change: Change, item: Broken) -> Finding:
    """What to say about one thing that no release announced."""
    project, broken = change.project, item.broken
    old = at_release(project, item.release)
    still = users(project, broken)
    became = successor(old, project, broken)
    first = since(project, released(project), broken) or item.release.tag
    if broken.kind == "required":
        what = f"{broken.symbol} had the default {broken.was} in {item.release.tag} and is required now, and nothing warned of it"
    else:
        what = f"{_GONE.get(broken.kind, 'the name')} {broken.symbol} is public since {first} and gone, and "
        what += f"{item.release.tag} did not warn"
    if became:
        what += f" ({became} seems to take its place)"
    if still:
        more = f" and {len(still) - _SHOWN} more" if len(still) > _SHOWN else ""
        what += f"; still used in {', '.join(still[:_SHOWN])}{more}"
    following = upcoming(project)
    target = f" for v0.{following + 2}" if following is not None else ""
    return Finding(
        broken.where[0],
        broken.where[1],
        broken.symbol,
        what,
        f"{'Give it a default again' if broken.kind == 'required' else 'Bring it back'} with a DeprecationWarning{target}, "
        f"or waive {broken.symbol} with a reason under [[tool.torchrl-preflight.waivers]].",
        text=f"{broken.kind} {broken.symbol}",
        severity="warning" if _is_protocol(item, old) else "",
        also_touch=tuple(still),
        derived_from=(broken.here[0],) if broken.here else (),
        fix=plan(project, broken, became, following),
    )


def _is_protocol(item: Broken, old: Project) -> bool:
    """A protocol's methods are what others implement; taking one away breaks no implementation."""
    owner = place(old, item.broken.old) if item.broken.kind == "method" else None
    return owner is not None and any(link.name.rpartition(".")[2] == "Protocol" for link in mro(*owner))
