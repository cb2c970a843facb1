"""A Config and its class do not name each other in their docstrings.

What it protects: the way from one to the other in the documentation. The docstring of a Config holds a
``:class:`` role to the class that it builds (to any of them, where a factory chooses), and the docstring of
the class one to the Config; the place and the words are free. A class of another package is not asked to.

For a new Config it is an error, for what stands a warning.

Bad:

    @dataclass
    class GymEnvConfig(EnvLibsConfig):
        '''Configuration for GymEnv environment.'''

Good:

    @dataclass
    class GymEnvConfig(EnvLibsConfig):
        '''Hydra configuration for :class:`~torchrl.envs.GymEnv`.'''

    class GymEnv(GymWrapper):
        '''OpenAI Gym environment.

        See also :class:`~torchrl.trainers.algorithms.configs.GymEnvConfig`.
        '''

How to fix: add the two references.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from ..project.configs import Config, classes, refers_to
from . import _config, _config_docs

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "A Config and its class do not name each other in their docstrings"
SEVERITY = "warning"
SECTION = "14"
NEEDS = ("configs",)


def check(change: Change) -> Iterator[Finding]:
    for config in _config.concerned(change):
        if config.target and (finding := _judge(change, config)):
            yield finding


def _judge(change: Change, config: Config) -> Finding | None:
    project = change.project
    built = classes(project, config)
    if not built:
        return None
    ours = [place for place in built if place.project is project]
    names = " or ".join(dict.fromkeys(place.record.name for place in built))
    forward = refers_to(project, config.path, config.record, {place.record.name for place in built})
    back = not ours or any(refers_to(project, place.path, place.record, {config.record.name}) for place in ours)
    if forward and back:
        return None
    said = [] if forward else [f"this docstring has no :class: role to {names}"]
    said += [] if back else [f"the docstring of {ours[0].record.name} ({ours[0].path}:{ours[0].record.line}) has none to {config.name}"]
    fix = _config_docs.new_references(project, config, built[0], forward, back)
    also = () if back else (ours[0].path,)
    return Finding(
        config.path, config.record.line, config.name, ", and ".join(said),
        "Write " + ", and ".join(_config_docs.wording(project, config, built[0], forward, back)) + ".",
        text=f"{'' if forward else 'class '}{'' if back else 'config'}", severity="error" if _config.is_new(change, config) else "warning",
        also_touch=tuple(path for path in also if path != config.path), derived_from=_config.derived(project, config), fix=fix,
        fix_also=tuple(path for path in also if path != config.path),
    )


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Adds the references that the file at hand lacks."""
    return _config_docs.add_references(module, finding.path, finding.fix)
