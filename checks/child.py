"""The process that imports torch and does what ``process.py`` was asked for."""

from __future__ import annotations

import faulthandler
import gc
import importlib.util
import json
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .record import REQUIRE, Check

NEEDED = ("torch", "tensordict", "torchrl", "pytest", "packaging")


def main(folder: Path) -> None:
    """Do the job that stands in ``folder``, and write there what happens, one JSON object a line."""
    job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    with (folder / "events").open("a", encoding="utf-8") as events, os.fdopen(os.dup(2), "w") as log:

        def say(**event: Any) -> None:
            events.write(json.dumps(event) + "\n")
            events.flush()

        faulthandler.enable(log)  # a file of its own: pytest puts something else in the place of stderr
        missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
        if missing:
            say(missing=missing)
        elif job["mode"] == "doctor":
            from . import doctor

            doctor.examine(job, say, log)
        elif not _imported(say):
            pass
        elif job["mode"] == "loss-keys":
            from . import keys

            say(answer=keys.examine(job["loss"], job["actor"]))
        else:
            _require(job, say)
            _pytest(job, say, log, folder)
        say(end=True)


def _imported(say: Callable[..., None]) -> bool:
    """Import what every check stands on; without it there is nothing to run."""
    from . import installed

    say(doing=f"importing {', '.join(installed.PACKAGES)}", environment=installed.described())
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        broken = installed.imported()
        devices = {} if broken else installed.devices()
    shown = dict.fromkeys(f"{one.category.__name__}: {one.message}" for one in raised)
    say(environment={**devices, "warnings": list(shown)})
    if broken:
        say(stopped=broken._asdict())
    return broken is None


def _require(job: dict[str, Any], say: Callable[..., None]) -> None:
    """Answer for each need that was asked for by name."""
    from .needs import unmet

    for need in job.get("require", ()):
        check = Check(f"{REQUIRE}/{need}", REQUIRE, job["tier"], "passed")
        if check.id not in job["done"]:
            trouble = unmet(need)
            say(check=(check._replace(status="unverified", **trouble._asdict()) if trouble else check)._asdict())


def _pytest(job: dict[str, Any], say: Callable[..., None], log: Any, folder: Path) -> None:
    import pytest

    from .plugin import Plugin

    settings = folder / "pytest.ini"  # ours: the one of the current directory, if any, is for other tests
    settings.write_text("[pytest]\n", encoding="utf-8")
    options = ["-c", str(settings), "--rootdir", str(folder), "--noconftest", "-pno:cacheprovider", "-pno:faulthandler"]
    options += ["--tb=no"]  # formatting a traceback that nobody sees takes longer than most checks
    options += ["-pno:logging"]  # so does collecting the log of each check, which nobody sees either
    gc.freeze()  # torch is many objects, all of which would be looked at again at each full collection
    pytest.main([*options, *job["areas"]], plugins=[Plugin(job, say, log)])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
