"""A public class or function that no reference page lists.

What it protects: the reader. A name without an entry has no page, every link to it stays plain text, and nothing says so.
That happens to new names, and to old ones whose entry is lost when pages are split or moved.

Bad: ``torchrl/envs/my_env.py`` with ``MyEnv`` in ``torchrl.envs.__all__``, and no entry below ``docs/source`` that leads
to it.

Good:

    .. currentmodule:: torchrl.envs

    .. autosummary::
        :toctree: generated/

        MyEnv

How to fix: add the name to the ``autosummary`` where its siblings are. One entry is enough, under any public path. A link
such as ``:class:`` is not an entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from ._public import concerned

if TYPE_CHECKING:
    from ..concrete import Text

SUMMARY = "A public class or function that no reference page lists"
SEVERITY = "error"
SECTION = "8"
CONCERNS = ("docs", "package")
NEEDS = ("docs",)
REPEATABLE = True


def check(change: Change) -> Iterator[Finding]:
    if concerned(change):
        from ._undocumented import findings

        yield from findings(change)


def repair(module: Text, finding: Finding) -> Text | None:
    from ._entries import insert

    return insert(module, finding)
