"""Measures how long the test files of a checkout of pytorch/rl take, by a sample of each file's tests.

    python tools/test_durations.py CHECKOUT [FILE ...] >> durations.jsonl

Each file runs in a process of its own against the torchrl that is installed: its tests in a random order, until the
budget is spent. CPU seconds are counted, those of worker processes included: they hardly depend on what else the machine
does. A line holds the file's start (imports and collection), the tests collected, those that ran, and their seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("files", nargs="*", help="relative to the checkout (default: all of test/)")
    parser.add_argument("--budget", type=float, default=12.0, help="seconds of tests a file")
    arguments = parser.parse_args()
    root = arguments.checkout.resolve()
    files = arguments.files or sorted(path.relative_to(root).as_posix() for path in root.glob("test/**/test_*.py"))
    for file in files:
        print(json.dumps(_measured(root, file, arguments.budget)), flush=True)
    return 0


def _measured(root: Path, file: str, budget: float) -> dict[str, object]:
    code = f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r}); import test_durations as t; t.inside({file!r}, {budget})"
    started = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=root,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        out, _ = started.communicate(timeout=8 * budget + 100)
    except subprocess.TimeoutExpired:
        out = ""
    finally:
        try:
            os.killpg(started.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        started.wait()
    last = out.rpartition("DURATIONS ")[2].partition("\n")[0]
    try:
        return {"path": file, **json.loads(last)}
    except ValueError:
        return {"path": file, "failure": f"ended with status {started.returncode}"}


def inside(file: str, budget: float) -> None:
    """The child: runs one file's tests until the budget is spent."""
    import pytest

    class Sample:
        collected = ran = 0
        start = seconds = 0.0

        def pytest_collection_modifyitems(self, items):
            random.Random(0).shuffle(items)
            self.collected, self.start, self.began = len(items), _cpu(), time.monotonic()

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
    print("DURATIONS " + json.dumps({**told, "status": int(status)}), flush=True)
    os._exit(0)


def _cpu() -> float:
    return sum(os.times()[:4])


if __name__ == "__main__":
    sys.exit(main())
