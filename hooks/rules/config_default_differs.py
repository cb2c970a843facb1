"""The default of a Config's field is not the default of the class.

What it protects: the experiment. Hydra passes every field on, so a default that differs trains another
algorithm than the same class built in Python, and a ``None`` overrides the class's value.

Defaults are compared as values: constants of modules are followed, ``1e3`` is ``1000``, a list is a tuple,
an enumeration's member is its name, an empty container is None, a nested Config is the class that it
names, and a class that turns None into a value of its own is compared by that value. ``MISSING``, None
and nothing all say "no default". What cannot be told (a call, say) is not reported.

An error is a value that differs. A warning is an environment's ``device="cpu"`` where the class has None.
An advisory is a field that is mandatory though the class has a default, a default that the field invents
for a required parameter, and a factory's own default that is not the field's.

Bad:

    class GAE:
        def __init__(self, *, average_gae: bool = False): ...

    @dataclass
    class GAEConfig(ConfigBase):
        average_gae: bool = True

Good:

    @dataclass
    class GAEConfig(ConfigBase):
        average_gae: bool = False

How to fix: give the field the default of the class.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from . import _config

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "The default of a Config's field is not the default of the class"
SEVERITY = "error"
SECTION = "14"
CONCERNS = ("package",)
REPEATABLE = True
NEEDS = ("configs",)


def check(change: Change) -> Iterator[Finding]:
    if _config.touched(change):
        from ._config_edits import new_default
        from ._config_findings import found

        for config, item, finding in found(change, "differs"):
            yield finding._replace(fix=new_default(config, item))


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Gives the field the default of the class."""
    from ._config_edits import set_default

    return set_default(module, *finding.fix)
