"""A factory lets a field of its Config vanish: setting it does nothing.

What it protects: users of Hydra, who set a field and see no effect and no error. A factory drops a field
when it takes it out of ``**kwargs`` and never looks at it, when it throws it away before a class that
takes it, or when it builds the object from a list of keywords and never pops it. A field inherited from a
parent Config counts for the factory of each child.

A field that is popped and used somewhere else (``make_value_estimator``, ``set_keys``, another object, a
fallback) is used. One that every factory of the file throws away is a placeholder, and a warning.

Bad:

    def _make_trainer(*args, **kwargs) -> Trainer:
        total_frames = kwargs.pop("total_frames")
        kwargs.pop("clip_norm", None)
        return Trainer(total_frames=total_frames)

Good:

    def _make_trainer(*args, **kwargs) -> Trainer:
        total_frames = kwargs.pop("total_frames")
        clip_norm = kwargs.pop("clip_norm", None)
        return Trainer(total_frames=total_frames, clip_norm=clip_norm)

How to fix: pass the value on, use it, or remove the field.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from . import _config

SUMMARY = "A factory takes a field of its Config and does nothing with it"
SEVERITY = "error"
SECTION = "14"
CONCERNS = ("package",)
REPEATABLE = True
NEEDS = ("configs",)


def check(change: Change) -> Iterator[Finding]:
    if _config.touched(change):
        from ._config_findings import found

        yield from (finding for _, _, finding in found(change, "dropped"))
