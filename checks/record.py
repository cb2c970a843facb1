"""What a run of smoke checks says: one record a check, and the report that holds them."""

from __future__ import annotations

from typing import Any, NamedTuple

STATUSES = ("failed", "blocked", "unverified", "passed")  # worst first, the order in which reports list them
TIERS = ("cpu", "full", "mp", "compile", "gpu", "optional")
REQUIRE = "require"  # the area of what was asked for by name: --require NEED, --device cuda


class Check(NamedTuple):
    """One check and how it ended.

    ``id`` is ``area/name[/case][@cuda]`` and stays the same from release to release. ``reason`` is empty for a plain
    pass, ``hint`` says what to do, ``warnings`` are the warnings raised meanwhile.
    """

    id: str
    area: str
    tier: str
    status: str
    reason: str = ""
    hint: str = ""
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0


class Entry(NamedTuple):
    """One check of the list: what it is and what it needs, not run."""

    id: str
    area: str
    tier: str
    needs: tuple[str, ...]
    summary: str


class Report(NamedTuple):
    """A whole run: the environment it ran in (plain values, as in the json report) and its checks in order."""

    environment: dict[str, Any]
    checks: tuple[Check, ...]

    @property
    def exit_status(self) -> int:
        """1 with a failed check, 3 when what was asked for by name or everything could not be verified, else 0."""
        if any(check.status == "failed" for check in self.checks):
            return 1
        required = [check for check in self.checks if check.area == REQUIRE]
        verified = any(check.status == "passed" for check in self.checks if check.area != REQUIRE)
        return 0 if verified and all(check.status == "passed" for check in required) else 3

    def count(self, status: str) -> int:
        """How many checks ended with ``status``."""
        return sum(check.status == status for check in self.checks)
