"""An entry of a reference page, or a reference to a name, that leads to nothing.

What it protects: the reader. The documentation builds all the same: a dead entry becomes an empty row, a dead reference plain
text. An entry dies when its name moves, or is dead from the start under the wrong ``currentmodule``.

Bad: ``ACTModel`` under ``.. currentmodule:: torchrl.modules``, while only ``torchrl.modules.models`` exports it.

Good:

    .. currentmodule:: torchrl.modules.models

    .. autosummary::
        :toctree: generated/

        ACTModel

How to fix: name a path that can be imported, or export the name where the page says it is. An entry is an error; a reference
such as ``:class:`` is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..change import Change
from ..finding import Finding
from ._public import concerned

if TYPE_CHECKING:
    import libcst as cst

    from ..concrete import Text

SUMMARY = "An entry of a reference page, or a reference in a page or docstring, that leads to nothing"
SEVERITY = "error"
SECTION = "8"
CONCERNS = ("docs", "package")
NEEDS = ("docs",)
REPEATABLE = True
DOCSTRINGS = True


def check(change: Change) -> Iterator[Finding]:
    if concerned(change):
        from ._dead import findings

        yield from findings(change)


def repair(module: cst.Module | Text, finding: Finding) -> cst.Module | Text | None:
    from ._references import replace

    return replace(module, finding)
