"""One run of smoke checks, start to end: children are started until every check has its answer."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from . import areas as rooms
from . import process
from .record import REQUIRE, Check, Entry, Report

Progress = Callable[[str, int, int], None]  # what is being done, checks done, checks in all (0: not known yet)


class SmokeExtraMissing(Exception):
    """Packages that every smoke check needs are not installed; the message says which, and how to get them."""

    def __init__(self, missing: Sequence[str]) -> None:
        names = ", ".join(missing)
        super().__init__(f"smoke checks need {names}, not installed here: pip install 'torchrl-preflight[smoke]'")


class TorchrlBroken(Exception):
    """torchrl cannot be imported, so that its classes cannot be listed; the message says why."""


def run(
    areas: Sequence[str | Path] = (),
    *,
    tier: str = "cpu",
    steps: int = 3,
    device: str = "cpu",
    check_specs: bool = False,
    require: Sequence[str] = (),
    progress: Progress | None = None,
) -> Report:
    """Run the checks of some areas, each in a process that may crash or hang without harm to the caller.

    Args:
        areas: names of areas, or paths of pytest modules to be used as areas; none means every area.
        tier: the tier whose checks are run, one of ``record.TIERS``.
        steps: environment steps of a rollout.
        device: ``cpu``, ``cuda``, or ``auto`` for both; a result on a GPU has ``@cuda`` at the end of its id.
        check_specs: whether rollouts are judged by torchrl's own ``check_env_specs``, too.
        require: needs (a package, ``ext``, ``cuda``) without which the run is not green.
        progress: called at each step of the run.

    Returns:
        The report; its ``exit_status`` is what the process should end with.

    Raises:
        ValueError: an area that does not exist.
        SmokeExtraMissing: torch, tensordict, torchrl or pytest is not installed.
    """
    files = [_file(area) for area in areas or rooms.names()]
    asked = list(dict.fromkeys([*require, *(["cuda"] if device == "cuda" else [])]))
    job = {"mode": "run", "areas": files, "tier": tier, "steps": steps, "device": device, "require": asked}
    job["check_specs"] = check_specs
    return _Run(job, progress).report()


def examine(progress: Progress | None = None, *, steps: int = 3, cli: bool = False) -> Report:
    """What ``torchrl-smoke doctor`` prints: the environment, and one check a thing that can be wrong with it.

    Args:
        progress: called at each step of the run.
        steps: environment steps of its rollout.
        cli: whether the commands of torchrl are started, too.

    Raises:
        SmokeExtraMissing: as in `run`.
    """
    return _Run({"mode": "doctor", "areas": ["doctor"], "tier": "cpu", "steps": steps, "cli": cli}, progress).report()


def catalogue(progress: Progress | None = None) -> tuple[Entry, ...]:
    """Every check of every area and tier, not run.

    Raises:
        SmokeExtraMissing: as in `run`.
        TorchrlBroken: torchrl cannot be imported.
    """
    files = [_file(area) for area in rooms.names()]
    job = {"mode": "list", "areas": files, "steps": 1, "device": "auto"}
    said = _Run(job, progress)
    report = said.report()
    trouble = next((check for check in report.checks if check.status != "passed"), None)
    if trouble:
        raise TorchrlBroken(f"{trouble.id}: {trouble.reason}")
    return tuple(said.entries)


def loss_keys(loss: str, actor: str | None = None, progress: Progress | None = None) -> dict[str, Any]:
    """The keys of a loss, see `keys.examine`.

    Raises:
        SmokeExtraMissing: as in `run`.
        TorchrlBroken: torchrl cannot be imported, or building the loss ends the process.
    """
    said = _Run({"mode": "loss-keys", "areas": ["loss-keys"], "loss": loss, "actor": actor}, progress)
    report = said.report()
    if said.answer is None:
        raise TorchrlBroken("; ".join(f"{check.id}: {check.reason}" for check in report.checks))
    return said.answer


def _file(area: str | Path) -> str:
    if isinstance(area, Path):
        return str(area.resolve())
    if area not in rooms.names():
        raise ValueError(f"no area {area!r}: the areas are {', '.join(rooms.names())}")
    return str(rooms.FOLDER / f"{area}.py")


class _Run:
    """The conversation with one child after another, until one has ended as planned."""

    def __init__(self, job: dict[str, Any], progress: Progress | None) -> None:
        self.job = job
        self.progress = progress or (lambda doing, done, total: None)
        self.environment: dict[str, Any] = {}
        self.checks: list[Check] = []
        self.entries: list[Entry] = []
        self.answer: dict[str, Any] | None = None
        self.total = 0
        self.planned = False  # whether this child has said how many checks it is to run
        self.pending: Check | None = None  # the check that it is at
        self.began = 0.0

    def report(self) -> Report:
        while not self._child():
            pass
        return Report(self.environment, tuple(self.checks))

    def _child(self) -> bool:
        """Hear one child out; False when it died at a check, so that another must do the rest."""
        self.planned = False
        done = [check.id for check in self.checks]
        with contextlib.closing(process.converse(self.job | {"done": done})) as events:
            for event in events:
                if "missing" in event:
                    raise SmokeExtraMissing(event["missing"])
                if "died" in event:
                    return self._died(event["died"])
                self._hear(event)
        return True

    def _hear(self, event: dict[str, Any]) -> None:
        doing = event.get("doing", "")
        self.environment |= event.get("environment", {})
        if "total" in event:
            self.planned, self.total = True, event["total"] + len(self.checks)
        if "start" in event:
            self.pending, self.began = Check(**event["start"], status="failed"), time.monotonic()
            doing = self.pending.id
        if "check" in event:
            self.checks.append(Check(**event["check"] | {"warnings": tuple(event["check"]["warnings"])}))
            self.pending = None
        if "entry" in event:
            self.entries.append(Entry(**event["entry"] | {"needs": tuple(event["entry"]["needs"])}))
        self.answer = event.get("answer", self.answer)
        if "stopped" in event:
            self.checks += self._stopped(**event["stopped"])
        if doing:
            self.progress(doing, len(self.checks), self.total)

    def _stopped(self, status: str, reason: str, hint: str) -> list[Check]:
        """One record for each area that could not be begun, and for each need that nobody could look for."""
        names = [Path(area).stem for area in self.job["areas"]]
        tier = self.job.get("tier", "cpu")
        stopped = [Check(name, name, tier, status, reason, hint) for name in names]
        return stopped + [
            Check(f"{REQUIRE}/{need}", REQUIRE, tier, "blocked", reason, hint)
            for need in self.job.get("require", ())
            if all(check.id != f"{REQUIRE}/{need}" for check in self.checks)
        ]

    def _died(self, reason: str) -> bool:
        if self.pending:
            self.checks.append(self.pending._replace(reason=reason, seconds=round(time.monotonic() - self.began, 3)))
            self.pending = None
            return False
        if self.planned:  # all checks have answered: it died on its way out, which is a defect of its own
            area = Path(self.job["areas"][-1]).stem
            self.checks.append(
                Check(f"{area}/exit", area, self.job["tier"], "failed", f"after the last check, {reason}")
            )
        else:
            self.checks += self._stopped("blocked", reason, "torchrl-smoke doctor")
        return True
