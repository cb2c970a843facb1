"""A Config is not exported, or not in the ConfigStore: no configuration file can choose it.

What it protects: ``env=my_env`` on the command line. A Config with a target of its own must be imported and
in ``__all__`` of the package of the Configs, and be the ``node`` of a ``cs.store``. Two Configs stored under
one group and name hide each other.

Left alone are Configs without a target or with an abstract one, and helpers that serve only as a field of
another Config. For a new Config it is an error, for what stands a warning.

Bad:

    @dataclass
    class MyEnvConfig(EnvLibsConfig):
        _target_: str = "torchrl.envs.MyEnv"      # and nothing in configs/__init__.py

Good:

    from torchrl.trainers.algorithms.configs.envs_libs import MyEnvConfig
    __all__ = [..., "MyEnvConfig"]
    cs.store(group="env", name="my_env", node=MyEnvConfig)

How to fix: import it, add it to ``__all__`` and store it in the group of its siblings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from . import _config

if TYPE_CHECKING:
    import libcst as cst

SUMMARY = "A Config is not exported or not in the ConfigStore"
SEVERITY = "warning"
SECTION = "14"
CONCERNS = ("package",)
REPEATABLE = True
NEEDS = ("configs",)


def check(change: Change) -> Iterator[Finding]:
    if _config.touched(change):
        from ._config_store import unregistered

        yield from unregistered(change)


def repair(module: cst.Module, finding: Finding) -> cst.Module | None:
    """Adds what is lacking to the package of the Configs."""
    from ._config_store import add_entry

    return add_entry(module, *finding.fix) if finding.path in finding.fix_also else None
