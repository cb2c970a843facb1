"""The version is written in several files, and they do not agree.

What it protects: the release. A build script that was forgotten gives wheels another version than the tree has, a stale
fallback gives source archives the last release's, and a range that leaves out the companion of the same version makes the
package impossible to install.

Compared are the version file, the places that the profile names (``version-copies``) and the ranges of packages that are
released together with this one (``companions``).

Bad: ``version.txt`` says 0.11.1, and ``pyproject.toml`` has ``fallback_version = "0.11.0"``.

Good: one commit changes all of them.

How to fix: write the same version in every place that the finding names.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..profile import CONFIG

SUMMARY = "Files that hold the version do not agree"
SEVERITY = "error"
SECTION = ""
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    home = project.profile["version-file"]
    written = {entry.partition(":")[0] for entry in project.profile["version-copies"]} | {home, CONFIG}
    if not any(path in written for path in change.judged):
        return
    from ..project.version_copies import admits, agrees, companions, copies

    version = (project.text(home) or "").strip()
    if not version:
        return
    every = copies(project)
    others = [copy for copy in every if not agrees(copy, version)]
    if len(others) == len(every) > 1 and all(agrees(copy, others[0].version) for copy in others):
        # All of them say the same: it is the version file that was forgotten.
        told = ", ".join(f"{copy.path}:{copy.line}" for copy in others)
        yield Finding(
            home,
            1,
            home,
            f"{home} says {version[:40]}, and {told} say {others[0].version}",
            f"Write {others[0].version} there, or {version[:40]} in the others.",
            text=f"{version} {others[0].version}",
            also_touch=tuple(dict.fromkeys(copy.path for copy in others)),
        )
        others = []
    for copy in others:
        yield Finding(
            copy.path,
            copy.line,
            copy.name,
            f"{copy.name} is {copy.version} here, and {home} says {version[:40]}",
            f"Write the version of {home} here, in the same commit.",
            text=f"{copy.name} {copy.version} {version}",
            also_touch=(home,),
        )
    for name, requirement, line in companions(project):
        if admits(requirement, version) is False:
            yield Finding(
                CONFIG,
                line,
                name,
                f"{requirement!r} leaves out the {name} that is released with {version[:40]}",
                f"Move the range so that it takes {name} of the same minor version.",
                text=f"{requirement} {version}",
                also_touch=(home,),
            )
