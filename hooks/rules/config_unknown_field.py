"""A field of a Config is nothing that the class takes: building the object raises TypeError.

What it protects: ``instantiate(cfg)``. Hydra passes every field on as a keyword; one that neither the class
nor its factory knows is an unexpected keyword argument, and a Config with its defaults cannot be used.

Each way through a factory is followed in the order of its statements: a field that one class takes and
another does not must be popped before the other is called. Also reported are a keyword aimed at a
``*args`` parameter, a name that a call passes itself beside ``**kwargs``, and a field that would become
data (``TensorDictPrimer(**kwargs)``). Where keywords end in another library nothing is said.

Bad:

    def _make_sac_loss(*args, **kwargs) -> SACLoss:
        if kwargs.pop("discrete", False):
            return DiscreteSACLoss(*args, **kwargs)
        return SACLoss(*args, **kwargs)          # SACLoss takes no action_space

Good:

    def _make_sac_loss(*args, **kwargs) -> SACLoss:
        if kwargs.pop("discrete", False):
            return DiscreteSACLoss(*args, **kwargs)
        kwargs.pop("action_space", None)
        return SACLoss(*args, **kwargs)

How to fix: rename the field to the parameter that it stands for, or remove it; where another class of the
factory takes it, pop it before the one that does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from . import _config

SUMMARY = "A field of the Config is refused by the class: instantiating it raises TypeError"
SEVERITY = "error"
SECTION = "14"
CONCERNS = ("package",)
REPEATABLE = True
NEEDS = ("configs",)


def check(change: Change) -> Iterator[Finding]:
    if _config.touched(change):
        from ._config_findings import found

        yield from (finding for _, _, finding in found(change, "unknown"))
