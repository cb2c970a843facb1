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
from . import _config

SUMMARY = "_target_ of a Config names no class and no function"
SEVERITY = "error"
SECTION = "14"
CONCERNS = ("package",)
REPEATABLE = True
NEEDS = ("configs",)


def check(change: Change) -> Iterator[Finding]:
    if _config.touched(change):
        from ._config_findings import unresolved

        yield from unresolved(change)
