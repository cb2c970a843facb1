"""``_target_`` of a Config names nothing: instantiating it raises.

What it protects: a Config outlives the class that it names. The name is followed through modules, re-exports
and ``import *``, in the source, so a library that the module needs does not have to be there. A class of
another package is looked up where that package is installed and is a warning, because its other versions
may have it; where it is not installed, nothing is said but a note.

Bad:

    _target_: str = "torchrl.envs.transforms.llm.KLRewardTransform"     # the module moved

Good:

    _target_: str = "torchrl.envs.llm.transforms.kl.KLRewardTransform"

How to fix: name the class by the path that it has now, or remove the Config with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project.configs import Config, target
from ..project.installed import package, version
from ..project.mro import elsewhere
from . import _config

SUMMARY = "_target_ of a Config names no class and no function"
SEVERITY = "error"
SECTION = "14"
NEEDS = ("configs",)


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    absent: dict[str, int] = {}
    for config in _config.concerned(change):
        found = target(project, config) if config.target else ""
        if found is None:
            yield _finding(change, config)
        elif isinstance(found, str) and found.endswith(" is not installed here"):
            absent[found] = absent.get(found, 0) + 1
    for why, count in absent.items():
        project.note(f"{why}, so {count} Config{'s' * (count > 1)} of its classes {'were' if count > 1 else 'was'} not judged")


def _finding(change: Change, config: Config) -> Finding:
    project = change.project
    top, _, name = config.target.rpartition(".")
    other = package(project, config.target.partition(".")[0])
    where = f"{version(other)}, installed here, has" if other else "there is"
    near = [] if other else elsewhere(project, name, project.profile["package"])
    hint = f"Name it by its path: {near[0]}." if near else f"Find what became of {name}, or remove the Config."
    return Finding(
        config.path, config.line("_target_"), config.name, f"{where} no {name} in {top}: instantiating this Config raises", hint,
        text=config.target, severity="warning" if other else "error", verify=_config.verify(project, config),
        derived_from=_config.derived(project, config),
    )
