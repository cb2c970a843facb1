"""The finding of a label that a change needs for a suite."""

from __future__ import annotations

from typing import NamedTuple

from ..change import Change
from ..finding import Finding


class Reason(NamedTuple):
    """Why a file calls for a label; no line means the file as a whole."""

    path: str
    line: int | None
    text: str


def label_finding(change: Change, suite: str, reasons: list[Reason], severity: str = "") -> Finding:
    """One finding for all reasons; it stands at the first."""
    label = change.project.profile["suites"][suite]["label"]
    first = reasons[0]
    told = "; ".join(
        f"{item.path}:{item.line}: {item.text}" if item.line else f"{item.path}: {item.text}" for item in reasons
    )
    line = first.line or (1 if first.path in change.project.tree else None)
    return Finding(
        first.path,
        line,
        label,
        told,
        f"Set {label} before you push: adding it later starts nothing.",
        text=label,
        severity=severity,
        derived_from=tuple(dict.fromkeys(item.path for item in reasons)),
    )
