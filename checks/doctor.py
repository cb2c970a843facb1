"""What can be wrong with an environment of torchrl, one check each: ``torchrl-smoke doctor``."""

from __future__ import annotations

import faulthandler
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from . import installed
from .needs import unmet
from .record import Check

LIMIT = 300.0  # seconds: importing torch from a cold disk is the longest of it


def examine(job: dict[str, Any], say: Callable[..., None], log: Any) -> None:
    """Say the environment and the outcome of each check that is not among ``job["done"]``."""
    say(environment=installed.described())
    checks = [(f"doctor/{name}", judge) for name, judge in _checks() if f"doctor/{name}" not in job["done"]]
    say(total=len(checks))
    for name, judge in checks:
        check = Check(name, "doctor", "cpu", "passed")
        say(start={"id": check.id, "area": check.area, "tier": check.tier}, limit=LIMIT)
        faulthandler.dump_traceback_later(LIMIT, exit=True, file=log)
        began = time.perf_counter()
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            status, reason, hint = judge()
        faulthandler.cancel_dump_traceback_later()
        shown = tuple(dict.fromkeys(f"{one.category.__name__}: {one.message}" for one in raised))
        seconds = round(time.perf_counter() - began, 3)
        say(check=check._replace(status=status, reason=reason, hint=hint, warnings=shown, seconds=seconds)._asdict())
    if not installed.imported():
        say(environment=installed.devices())


Verdict = tuple[str, str, str]  # status, reason, hint


def _checks() -> Iterator[tuple[str, Callable[[], Verdict]]]:
    for name in installed.PACKAGES:
        yield f"requirements/{name}", partial(_requirements, name)
    yield "copies", _copies
    yield "import", _imports
    yield "extension", _extension
    yield "cuda", _cuda


def _requirements(name: str) -> Verdict:
    """Every installed distribution in the range that the imported copy of ``name`` declares."""
    it = installed.package(name)
    if it.requires is None:
        return "unverified", f"{it.folder} stands on the path, and nothing there says what it requires", ""
    trouble = installed.unmet_requirements(name)
    if trouble:
        return "failed", "; ".join(one.reason for one in trouble), "; ".join(one.hint for one in trouble)
    return "passed", f"{name} {it.version}", ""


def _copies() -> Verdict:
    """One copy of torchrl: with two, what is tested here is not what another directory imports."""
    first, *others = installed.copies("torchrl")
    if not others:
        return "passed", str(first), ""
    kind = "the source tree" if installed.package("torchrl").source_tree else "the copy"
    reason = f"{kind} {first} is imported and shadows {', '.join(map(str, others))}"
    if installed.package("torchrl").source_tree:
        return "failed", reason, f"pip install --no-deps --no-build-isolation -e {first.parent}, or run elsewhere"
    return "failed", reason, "remove all but one, or take the first from PYTHONPATH"


def _imports() -> Verdict:
    """torch, tensordict, torchrl and the parts of it that need nothing optional."""
    broken = installed.imported()
    return ("failed", broken.reason, broken.hint) if broken else ("passed", "", "")


def _extension() -> Verdict:
    if installed.imported():
        return "blocked", "torchrl cannot be imported", ""
    trouble = installed.extension()
    if trouble is None:
        return "passed", "", ""
    return "unverified" if installed.package("torchrl").source_tree else "failed", *trouble


def _cuda() -> Verdict:
    if installed.imported():
        return "blocked", "torchrl cannot be imported", ""
    trouble = unmet("cuda")
    return ("unverified", *trouble) if trouble else ("passed", ", ".join(installed.devices()["gpus"]), "")
