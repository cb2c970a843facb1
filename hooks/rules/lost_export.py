"""A package has lost a name that it exported, while what the name stands for is still there.

What it protects: what was added since the last release. The API of a release is guarded by api-removed-without-deprecation; a
class that came later and falls out of an ``__init__`` in a merge or a clean-up is missed by nobody until the release is out.

Reported are names of the base that no release had, whose definition still stands in the tree and that no package around it
exports any more. A name that goes with its definition, or that moves to another package, is not lost.

Bad: ``from .toy import ToyEnv`` is deleted from ``torchrl/envs/__init__.py``, and ``torchrl/envs/toy.py`` keeps ``ToyEnv``.

Good: the import and the entry of ``__all__`` stay, or ``ToyEnv`` goes with them.

How to fix: export it again; make it private or delete it if it is not meant to be public.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project.names import bindings
from ..project.public import bound, exported, exported_above, find
from ..project.releases import at_release, baseline

SUMMARY = "A package has lost an exported name that no release had, while its definition stands"
SEVERITY = "warning"
SECTION = ""
CONCERNS = ("package",)
CHANGE_RULE = True


def check(change: Change) -> Iterator[Finding]:
    project, before = change.project, change.before
    now = {old: new for new, old in change.renames.items()}
    for path in change.judged_under(project.profile["package"], "/__init__.py"):
        package = path.removesuffix("/__init__.py").replace("/", ".")
        if path not in before.tree or path not in change.changed or "._" in package or project.module(path) is None:
            continue
        kept = set(exported(project, path))
        for name in exported(before, path):
            meant = bound(before, path, name) if name not in kept else None
            if meant is None or not meant.path or meant.record is None:
                continue
            home = now.get(meant.path, meant.path)
            stands = home != path and (bindings(project, home) or {}).get(("", meant.name))
            if not stands or exported_above(project, home, meant.name) or _released(change, f"{package}.{name}"):
                continue
            yield Finding(
                path,
                1,
                f"{package}.{name}",
                f"{package} exported {name} and does not any more, while {home}:{stands[-1].line} still defines it",
                "Export it again, or make it private if it is not meant to be public.",
                text=name,
                also_touch=(home,),
                verify=f'python -c "from {package} import {name}"',
            )


def _released(change: Change, dotted: str) -> bool:
    """Whether the last release had it: then it is said elsewhere."""
    return any(find(at_release(change.project, release), dotted) is not None for release in baseline(change.project))
