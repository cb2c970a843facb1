"""What can be wrong with an environment of torchrl, one check each: ``torchrl-smoke doctor``."""

from __future__ import annotations

import faulthandler
import importlib.metadata
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from packaging.requirements import Requirement

from . import installed, machine, provenance
from .backends import Backend, backends
from .needs import unmet
from .record import Check
from .troubles import Known, hint, troubles

LIMIT = 300.0  # seconds: importing torch from a cold disk is the longest of it


def examine(job: dict[str, Any], say: Callable[..., None], log: Any) -> None:
    """Say the environment and the outcome of each check that is not among ``job["done"]``."""
    say(environment=installed.described())
    checks = [(f"doctor/{name}", judge) for name, judge in _checks(job) if f"doctor/{name}" not in job["done"]]
    say(total=len(checks))
    for name, judge in checks:
        check = Check(name, "doctor", "cpu", "passed")
        say(start={"id": check.id, "area": check.area, "tier": check.tier}, limit=LIMIT)
        faulthandler.dump_traceback_later(LIMIT, exit=True, file=log)
        began = time.perf_counter()
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            status, reason, words = judge()
        faulthandler.cancel_dump_traceback_later()
        shown = tuple(dict.fromkeys(f"{one.category.__name__}: {one.message}" for one in raised))
        seconds = round(time.perf_counter() - began, 3)
        say(check=check._replace(status=status, reason=reason, hint=words, warnings=shown, seconds=seconds)._asdict())
    if not installed.imported():
        say(environment=installed.devices())


Verdict = tuple[str, str, str]  # status, reason, hint


# The parts of torchrl beside those that everything stands on, which are `installed.SURFACES`.
_MORE = ("checkpoint", "record", "render", "services", "trainers", "trainers.algorithms.configs", "weight_update")


def _checks(job: dict[str, Any]) -> Iterator[tuple[str, Callable[[], Verdict]]]:
    for name in installed.PACKAGES:
        yield f"requirements/{name}", partial(_requirements, name)
    yield "requirements/others", _others
    yield "copies", _copies
    yield "provenance", _provenance
    for known in troubles():
        if known.installed:
            yield f"known/{known.name}", partial(_known, known)
    yield "import", _imports
    yield "extension", _extension
    yield "cuda", _cuda
    yield "start_methods", _start_methods
    yield "shared_memory", partial(_with_torchrl, _shared_memory)
    yield "opengl", _opengl
    yield "rollout", partial(_with_torchrl, partial(_rollout, job.get("steps", 3)))
    yield "replay", partial(_with_torchrl, _replay)
    for name in _MORE:
        yield f"surface/torchrl.{name}", partial(_with_torchrl, partial(_surface, f"torchrl.{name}"))
    if job.get("cli"):
        yield "rlrender", partial(_with_torchrl, _rlrender)
    for row in backends():
        yield f"backend/{row.name}", partial(_backend, row)


def _with_torchrl(judge: Callable[[], Verdict]) -> Verdict:
    """A judgement that needs torchrl: blocked without, and an exception is a failure with what is known about it."""
    if installed.imported():
        return "blocked", "torchrl cannot be imported", ""
    try:
        return judge()
    except Exception as error:
        return "failed", f"{type(error).__name__}: {' '.join(str(error).split())[:300]}", hint(error)


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


def _others() -> Verdict:
    """What torchrl stands on, and the optional packages that are here, in the ranges that they declare themselves."""
    trouble = [
        one for name in installed.neighbours(row.distribution for row in backends()) for one in installed.unmet_of(name)
    ]
    if trouble:
        return "failed", "; ".join(one.reason for one in trouble), "; ".join(one.hint for one in trouble)
    return "passed", "", ""


def _provenance() -> Verdict:
    """Whether what is imported is a release or a checkout, and of which commit."""
    it = installed.package("torchrl")
    here = provenance.checkout()
    if here is None and it.source_tree:
        return "unverified", f"{it.folder} is a source tree of no git checkout: its commit is not known", ""
    if here is None:
        source = provenance.origin()
        return "passed", f"torchrl {it.version} in {it.folder}{f', installed from {source}' if source else ''}", ""
    if it.distribution is not None and here.version and not it.version.startswith(here.version):
        reason = f"{here}, but its metadata was made for {it.version}: what it requires now is not known"
        return "unverified", reason, f"pip install --no-deps --no-build-isolation -e {here.folder}"
    return "passed", str(here), ""


def _known(known: Known) -> Verdict:
    """A version that is itself a known trouble."""
    need = Requirement(known.installed)
    have = installed.version(need.name)
    if have and need.specifier.contains(have, prereleases=True):
        return "failed", f"{need.name} {have}: {known.cause}", known.remedy
    return "passed", f"{need.name} {have}" if have else f"{need.name} is not installed", ""


def _start_methods() -> Verdict:
    """Worker processes start, in each way that this platform has."""
    tried = machine.start_methods()
    failed = [f"{method}: {trouble}" for method, trouble in tried.items() if trouble]
    return ("failed", "; ".join(failed), "") if failed else ("passed", ", ".join(tried), "")


def _shared_memory() -> Verdict:
    """Tensors can be shared with worker processes."""
    import torch

    torch.ones(2**18).share_memory_()
    free = machine.shared_memory()
    if free is None or free >= machine.ROOM:
        return "passed", "" if free is None else f"{free} MB are free", ""
    known = next(it for it in troubles() if it.name == "shared-memory")
    return "unverified", f"{free} MB are free in /dev/shm: too few for workers that share pixels", known.remedy


def _opengl() -> Verdict:
    found, missing = machine.opengl()
    chosen = f", MUJOCO_GL={os.environ['MUJOCO_GL']}" if os.environ.get("MUJOCO_GL") else ""
    if found:
        return "passed", ", ".join(found) + chosen, ""
    known = next(it for it in troubles() if it.name == "opengl")
    return (
        "unverified",
        f"no display, no {' and no '.join(missing)}{chosen}: nothing can be rendered here",
        known.remedy,
    )


def _rollout(steps: int) -> Verdict:
    """The native PendulumEnv rolls out."""
    from torchrl.envs import PendulumEnv

    data = PendulumEnv().rollout(steps)
    assert data.batch_size == (steps,), f"{steps} steps were asked for, and {tuple(data.batch_size)} came"
    return "passed", f"PendulumEnv, {steps} steps", ""


def _replay() -> Verdict:
    """A replay buffer gives back what was put in."""
    import torch
    from tensordict import TensorDict
    from torchrl.data import LazyTensorStorage, TensorDictReplayBuffer

    buffer = TensorDictReplayBuffer(storage=LazyTensorStorage(8), batch_size=4)
    buffer.extend(TensorDict({"number": torch.arange(8)}, [8]))
    sample = buffer.sample()["number"]
    assert sample.shape == (4,) and bool((sample < 8).all()), f"the sample is {sample}"
    return "passed", "", ""


def _surface(name: str) -> Verdict:
    """A part of torchrl can be imported, or wants an optional package."""
    try:
        trouble = unmet(name)
    except ImportError as error:
        words = hint(error)
        return "unverified" if words else "failed", f"{name} cannot be imported: {error}", words
    return ("unverified", *trouble) if trouble else ("passed", "", "")


def _rlrender() -> Verdict:
    """``rlrender --help`` prints its usage."""
    trouble = unmet("torchrl.render")
    if trouble:
        return "unverified", *trouble
    code = "import sys; from torchrl.render.cli import main; sys.argv = ['rlrender', '--help']; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT)
    if done.returncode or "usage" not in done.stdout:
        last = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        return "failed", f"rlrender --help: {last[:300]}", ""
    scripts = importlib.metadata.entry_points(group="console_scripts", name="rlrender")
    return "passed", "" if scripts else "the command is not installed: python -m torchrl.render", ""


def _backend(row: Backend) -> Verdict:
    trouble = unmet(row.module)
    if trouble is None:
        return "passed", f"{row.name} {installed.version(row.distribution) or 'of unknown version'}", ""
    return "unverified", f"{row.name} is not installed: {row.use}", installed.install(row.distribution)
