"""A parameter of a class has no field in the Config that builds the class.

What it protects: users of Hydra. They see only the dataclass, so a parameter without a field of its name
cannot be set, and nothing says so. Most gaps came with a commit that changed the class alone, so a change
of a class, of a base that it passes ``**kwargs`` to, or of the factory between the two judges the Config.

Parameters are followed through ``**kwargs`` and up the MRO, also where ``inspect.signature`` shows only
``(*args, **kwargs)``. Left alone are names with an underscore, the first argument of a partial, what the
factory fills from something else, what the body warns to be deprecated, keys that no docstring mentions,
and whatever lies behind keywords that end in another library. For abstract classes, helpers that only
serve as a field of another Config, keywords of a metaclass and classes of other packages (read where they
are installed) it is an advisory.

Bad:

    class RandomSampler:
        def __init__(self, device=None, seed=None): ...

    @dataclass
    class RandomSamplerConfig(ConfigBase):
        device: Any = None
        _target_: str = "torchrl.data.RandomSampler"

Good:

    @dataclass
    class RandomSamplerConfig(ConfigBase):
        device: Any = None
        seed: int | None = None
        _target_: str = "torchrl.data.RandomSampler"

How to fix: add the field with the class's default; where a factory lists what it passes on, pop it there
and pass it, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from . import _config

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "A parameter of the class has no field in its Config, so Hydra cannot set it"
SEVERITY = "error"
SECTION = "14"
CONCERNS = ("package",)
REPEATABLE = True
NEEDS = ("configs",)


def check(change: Change) -> Iterator[Finding]:
    if _config.touched(change):
        from ._config_edits import new_field
        from ._config_findings import found

        for config, item, finding in found(change, "missing"):
            yield finding._replace(fix=new_field(change.project, config, item))


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Adds the field, and in a factory that lists what it passes on the pop and the keyword."""
    from ._config_edits import add_field

    return add_field(module, *finding.fix)
