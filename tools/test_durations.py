"""Measures how long the test files of a checkout of pytorch/rl take, by a sample of each file's tests.

    python tools/test_durations.py CHECKOUT [FILE ...] >> durations.jsonl

Each file runs in a process of its own against the torchrl that is installed: its tests in a random order, until the
budget is spent. CPU seconds are counted, those of worker processes included: they hardly depend on what else the machine
does. A line holds the seconds of collection, the tests collected, those that ran, and their seconds.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import random
import select
import signal
import sys
import time
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("files", nargs="*", help="relative to the checkout (default: all of test/)")
    parser.add_argument("--budget", type=float, default=5.0, help="seconds of tests a file")
    arguments = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    for package in ("torch", "tensordict", "torchrl"):
        importlib.import_module(package)
    root = arguments.checkout.resolve()
    files = arguments.files or sorted(path.relative_to(root).as_posix() for path in root.glob("test/**/test_*.py"))
    for file in files:
        print(json.dumps(_measured(root, file, arguments.budget)), flush=True)
    return 0


def _measured(root: Path, file: str, budget: float) -> dict[str, object]:
    """One file in a copy of this process, which has imported torchrl already."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        os.chdir(root)
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        try:
            os.write(writing, json.dumps(_sample(file, budget)).encode())
        finally:
            os._exit(0)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], 8 * budget + 30)
    said = os.read(reading, 65536) if ready else b""
    os.close(reading)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return {"path": file, **(json.loads(said) if said else {"failure": "no answer"})}


def _sample(file: str, budget: float) -> dict[str, float]:
    """Runs one file's tests until the budget is spent."""
    import pytest

    begun = _cpu()

    class Sample:
        collected = ran = 0
        start = seconds = 0.0

        def pytest_collection_modifyitems(self, items):
            random.Random(0).shuffle(items)
            self.collected, self.start, self.began = len(items), _cpu() - begun, time.monotonic()

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_protocol(self, item):
            before = _cpu()
            result = yield
            self.ran += 1
            self.seconds += _cpu() - before
            if time.monotonic() - self.began > budget:
                item.session.shouldstop = "the budget is spent"
            return result

    sample = Sample()
    status = pytest.main([file, "-q", "--tb=no", "-p", "no:cacheprovider"], plugins=[sample])
    told = {key: round(getattr(sample, key), 2) for key in ("start", "collected", "ran", "seconds")}
    return {**told, "status": int(status)}


def _cpu() -> float:
    return sum(os.times()[:4])


if __name__ == "__main__":
    sys.exit(main())
