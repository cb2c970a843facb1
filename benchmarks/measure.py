"""What a command costs: CPU seconds and memory of its process and of every process that it starts. Linux only."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_PATIENCE = 60.0
_SAMPLES_A_SECOND = 50


class Failed(Exception):
    """A command did not do what was to be measured; the message is one line."""


class Case(NamedTuple):
    """One command to measure.

    Args:
        name: for people and as the key of the results.
        command: program and arguments.
        folder: where it runs.
        prepare: called before each run, unmeasured; returns variables to add to the environment.
        statuses: exit statuses of a run that did its work.
        expected: text that the standard output of such a run holds.
    """

    name: str
    command: Sequence[str]
    folder: Path
    prepare: Callable[[], Mapping[str, str]] = dict
    statuses: tuple[int, ...] = (0,)
    expected: str = ""


def cpu(cases: Sequence[Case], runs: int, progress: Callable[[str], None]) -> dict[str, float]:
    """Least CPU seconds (user and system) of each case.

    The cases take turns, so that a machine that slows down for a while slows all of them. A case that
    has used a minute is not run again.

    Args:
        runs: how often each case runs at most.
        progress: told what runs.

    Raises:
        Failed: a command did not do its work.
    """
    costs: dict[str, list[float]] = {case.name: [] for case in cases}
    for turn in range(runs):
        for case in cases:
            if sum(costs[case.name]) < _PATIENCE:
                progress(f"run {turn + 1} of {runs}: {case.name}")
                process, output = _start(case)
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                _check(case, process, output)
                costs[case.name].append(usage.ru_utime + usage.ru_stime)
    return {name: min(spent) for name, spent in costs.items()}


def peak(case: Case) -> int:
    """Most bytes that a command and the processes it starts hold at one time, shared pages counted once.

    Raises:
        Failed: the command did not do its work.
    """
    process, output = _start(case)
    most = 0
    while process.poll() is None:
        most = max(most, sum(map(_proportional, _family(process.pid))))
        time.sleep(1 / _SAMPLES_A_SECOND)
    _check(case, process, output)
    return most


def _start(case: Case) -> tuple[subprocess.Popen[bytes], tempfile._TemporaryFileWrapper]:
    output = tempfile.TemporaryFile()
    environment = {**os.environ, **case.prepare()}
    process = subprocess.Popen(case.command, cwd=case.folder, env=environment, stdout=output, stderr=subprocess.STDOUT)
    return process, output


def _check(case: Case, process: subprocess.Popen[bytes], output: tempfile._TemporaryFileWrapper) -> None:
    output.seek(0)
    text = output.read().decode(errors="replace")
    output.close()
    if process.returncode not in case.statuses or case.expected not in text:
        last = (text.strip().splitlines() or ["it printed nothing"])[-1]
        raise Failed(f"{case.name}: exit status {process.returncode}, not the run that was to be measured: {last}")


def _family(pid: int) -> list[int]:
    found = [pid]
    for parent in found:
        try:
            for task in os.listdir(f"/proc/{parent}/task"):
                found += map(int, Path(f"/proc/{parent}/task/{task}/children").read_text().split())
        except OSError:
            continue  # it ended meanwhile
    return found


def _proportional(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
