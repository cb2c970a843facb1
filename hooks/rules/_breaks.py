"""What a change breaks of the API of the last release, for the rules about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..change import Change
from ..project.releases import Release, at_release, baseline, upcoming
from ..project.surface import lacking

if TYPE_CHECKING:
    from ..project.api import Break
    from ..project.warned import Warned


class Broken(NamedTuple):
    """A break between a release and the tree that this change makes.

    Args:
        release: the one that still had it.
        warned: what that release, or a patch release of it, said about it.
    """

    broken: Break
    release: Release
    warned: Warned | None


def breaks(change: Change) -> list[Broken]:
    """Breaks that lie between base and tree and between the last release and the tree.

    What a change takes away without any release having had it is free; what was gone before the change is
    not its doing.
    """
    key = ("breaks", id(change.before))
    if key not in change.project.memo:
        change.project.memo[key] = _breaks(change)
    return change.project.memo[key]


def unannounced(change: Change, *kinds: str) -> list[Broken]:
    """Breaks of some kinds that no warning covers."""
    return [item for item in breaks(change) if item.warned is None and item.broken.kind in kinds]


def _breaks(change: Change) -> list[Broken]:
    if not lacking(change.before, change.project):
        return []
    # Most changes end above, so what they would not use is not imported for them.
    from ..project.api import compare
    from ..project.warned import warned

    project = change.project
    made = {(item.kind, item.symbol): item.public for item in compare(change.before, project)}
    if not made:
        return []
    releases = baseline(project)
    if not releases:
        what = (
            f"{len(made)} differences of the public API were" if len(made) > 1 else "1 difference of the public API was"
        )
        project.note(f"no release tag v0.N.0 dated at or before this tree, so {what} not judged (git fetch --tags)")
        return []
    found: dict[tuple[str, str], Broken] = {}
    for release in releases:
        # Names that a later patch release added count as released, too.
        wanted = {path for key, path in made.items() if key not in found}
        old = at_release(project, release) if wanted else None
        for item in compare(old, project, wanted) if old else ():
            if (key := (item.kind, item.symbol)) in made and key not in found:
                found[key] = Broken(item, release, warned(old, item))
        if old is not None and old.tree.unreadable:
            project.note(
                f"{len(old.tree.unreadable)} files of {release.tag} are not in this clone, so their API was not judged"
            )
    return [_announced_later(change, item, releases) for item in found.values()]


def _announced_later(change: Change, item: Broken, releases: list[Release]) -> Broken:
    """A patch release may have brought the warning."""
    from ..project.warned import warned

    for release in releases if item.warned is None else ():
        if release > item.release and (said := warned(at_release(change.project, release), item.broken)):
            return item._replace(warned=said)
    return item


def too_early(change: Change) -> list[Broken]:
    """Announced breaks whose release has not come: the tree is on an older one, and the next one is not it either."""
    found = [item for item in breaks(change) if item.warned and item.warned.target is not None]
    following = upcoming(change.project) if found else None
    return [item for item in found if following is not None and item.warned.target > following]
