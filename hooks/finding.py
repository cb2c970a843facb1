"""What a rule says: one fault, where it is, and what to do about it."""

from __future__ import annotations

from typing import Any, NamedTuple

SEVERITIES = ("error", "warning", "advisory")
"""From what fails a run to what is only worth knowing."""


class Edit(NamedTuple):
    """The repair of one finding, made on the concrete syntax tree.

    Args:
        patch: unified diff that ``git apply`` takes; bytes that are no UTF-8 are lone surrogates (PEP 383).
        safe: whether the edit keeps the meaning of everything that it does not repair.
    """

    patch: str
    safe: bool


class Finding(NamedTuple):
    """One fault at one place.

    A rule fills the fields down to ``fix_also``; the run adds the rule's name, ``new`` and ``edit``.

    Args:
        path: relative to the repository, with forward slashes.
        line: first line, counted from 1; None for a folder.
        symbol: what the contract's table says for the rule, for example ``Class::test``.
        message: one sentence with the fact (job, release, class) that makes it true.
        hint: what to do, one sentence.
        text: source of the offending statement; tells an old fault from a new one, so it must not
            depend on where in the file the statement stands.
        severity: overrides the rule's own severity; empty keeps it.
        column: counted from 1, in characters.
        end_line: last line; None means ``line``.
        also_touch: every other file that must change with this one.
        verify: a command that shows the repair.
        derived_from: further files whose content led to the finding; PATHS match them too.
        fix: plain values that the rule's own ``repair`` understands; None if there is no edit.
        fix_also: further files that ``repair`` edits; it is called once for each, with that file as ``path``.
    """

    path: str
    line: int | None
    symbol: str
    message: str
    hint: str = ""
    text: str = ""
    severity: str = ""
    column: int = 1
    end_line: int | None = None
    also_touch: tuple[str, ...] = ()
    verify: str = ""
    derived_from: tuple[str, ...] = ()
    fix: Any = None
    fix_also: tuple[str, ...] = ()
    rule: str = ""
    new: bool = True
    edit: Edit | None = None
    suppressed: str = ""


class First(NamedTuple):
    """What a reviewer must see before anything else: one thing that is tested or judged no more.

    Args:
        kind: "removed test", "new suppression", "new waiver", "rule turned off" or "grown allowlist".
        path, line: where it is; of a removed test, where it was.
        text: what, and the reason given for it.
    """

    kind: str
    path: str
    line: int | None
    text: str


def order(finding: Finding) -> tuple:
    """Sort key of every report: by file, then line, then rule."""
    return (finding.path, finding.line or 0, finding.column, finding.rule, finding.symbol, finding.message)
