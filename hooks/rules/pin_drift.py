"""One package is constrained differently by files that belong together.

What it protects: what CI proves. When the tests move to another version of a package and the tutorials or the documentation
stay behind, each job is green with a version that the others never saw.

The files that belong together, and the constraints that differ among them on purpose, are in the profile (``pins``). A mention
without a version, one with an environment marker and one that the profile sets apart do not count, nor do two of one file. A
change is told only about a package on which these files agreed before; ``torchrl-lint pins PACKAGE`` prints all.

Bad: ``docs/requirements.txt`` has ``mujoco>=3.9`` and the tests' script ``mujoco>=3.8.1,<3.9.0``.

Good: one constraint in both.

How to fix: change the others with it, or set it apart in the profile with ``PACKAGE: GLOB``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from ..project import Project
from ..project.globs import matches

if TYPE_CHECKING:
    from ..project.pins import Pin

SUMMARY = "A package is constrained differently by files that belong together"
SEVERITY = "warning"
SECTION = ""
REPEATABLE = True

_SHOWN = 4

Asked = dict[str, dict[str, "list[Pin]"]]
"""Package -> file -> its pins."""


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    globs = project.profile["pins"]["together"]
    # Compiling a glob costs more than seeing that it is about another folder.
    tops = {glob.partition("/")[0] for glob in globs}
    near = [path for path in change.judged if path.partition("/")[0] in tops or any("*" in top for top in tops)]
    judged = {path for path in near if any(matches(glob, path) for glob in globs)}
    if not judged:
        return
    asked = _asked(project)
    known = {} if change.everything or change.before is None else _asked(change.before)
    for package, files in sorted(asked.items()):
        if _odd(files, judged) and not _odd(known.get(package, {}), judged):
            yield from _findings(package, files, _odd(files, judged))


def _findings(package: str, files: dict[str, list[Pin]], odd: list[str]) -> Iterator[Finding]:
    others = [pin for path, pinned in files.items() if path not in odd for pin in pinned]
    told = [f"{','.join(pin.clauses)} in {pin.path}:{pin.line}" for pin in others]
    more = f" and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
    for path in odd:
        pin = files[path][0]
        asks = ",".join(pin.clauses)
        yield Finding(
            path,
            pin.line,
            package,
            f"{package} is {asks} here, and {'; '.join(told[:_SHOWN])}{more}",
            "Ask for the same in all of them, or set this one apart in the profile (pins).",
            text=f"{package} {asks}",
            also_touch=tuple(dict.fromkeys(other.path for other in others)),
            derived_from=tuple(dict.fromkeys(other.path for other in others)),
            verify=f"torchrl-lint pins {package}",
        )


def _asked(project: Project) -> Asked:
    # Most changes touch none of the files, so what reads them is not imported for those.
    from ..project.pins import pinning, pins
    from ..project.together import belongs, is_apart

    key = ("pins that belong together",)
    if key not in project.memo:
        found: Asked = {}
        for path in pinning(project):
            for pin in pins(project, path) if belongs(project, path) else ():
                if pin.clauses and not pin.marker and not is_apart(project, pin):
                    found.setdefault(pin.package, {}).setdefault(path, []).append(pin)
        project.memo[key] = found
    return project.memo[key]


def _odd(files: dict[str, list[Pin]], judged: set[str]) -> list[str]:
    """The files that ask for nothing that most ask for; of two equal sides the one that changed."""
    from ..project.pins import constraint

    counted = Counter(asked for pinned in files.values() for asked in {constraint(pin) for pin in pinned})
    if len(counted) < 2:
        return []

    def side(asked: frozenset[str]) -> tuple[int, bool]:
        return counted[asked], not any(constraint(pin) == asked for path in judged for pin in files.get(path, ()))

    usual = max(counted, key=side)
    return [path for path, pinned in files.items() if all(constraint(pin) != usual for pin in pinned)]
