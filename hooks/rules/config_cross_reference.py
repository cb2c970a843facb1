"""A Config and its class do not name each other in their docstrings.

What it protects: the way from one to the other in the documentation. The docstring of a Config holds a
``:class:`` role to the class that it builds (to any of them, where a factory chooses), and the docstring of
the class one to the Config; the place and the words are free. A class of another package is not asked to.

For a new Config of a concrete class it is an error, else a warning.

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
from . import _config

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "A Config and its class do not name each other in their docstrings"
SEVERITY = "warning"
SECTION = "14"
CONCERNS = ("package",)
REPEATABLE = True
NEEDS = ("configs",)


def check(change: Change) -> Iterator[Finding]:
    if _config.touched(change):
        from ._config_docs import unreferenced

        yield from unreferenced(change)


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Adds the references that the file at hand lacks."""
    from ._config_docs import add_references

    return add_references(module, finding.path, finding.fix)
