"""Worker processes that hang or are killed, and a machine without shared memory: reported, and nothing of them is left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from torchrl_preflight.checks import run
from torchrl_preflight.checks.record import Check

WORKERS = """
import os, pathlib, signal, time
import pytest
from torchrl.envs import ParallelEnv
from torchrl_preflight.checks.areas._worlds import plain

def noted():
    with open(os.environ["LEFT"], "a") as file:
        file.write(f"{os.getpid()}\\n")
    return plain()

def stuck():
    env = noted()
    env._step = lambda data: time.sleep(600)
    return env

@pytest.mark.limit(20)
def test_hangs():
    ParallelEnv(2, stuck, mp_start_method="fork").rollout(2)

@pytest.mark.limit(60)
def test_killed():
    env = ParallelEnv(2, noted, mp_start_method="fork")
    env.reset()
    os.kill(env._workers[1].pid, signal.SIGKILL)
    env._workers[1].join()
    env.step(env.rand_action())

def test_after():
    pass
"""

SHARING = """
import torch
def test_shares():
    torch.zeros(1 << 20).share_memory_()
def test_does_not():
    pass
"""


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("left") / "pids"


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory, left: Path) -> dict[str, Check]:
    """One run of the checks above."""
    module = tmp_path_factory.mktemp("workers") / "workers.py"
    module.write_text(WORKERS)
    os.environ["LEFT"] = str(left)
    try:
        return {check.id: check for check in run.run([module]).checks}
    finally:
        del os.environ["LEFT"]


def test_the_rest_is_still_checked(checks: dict[str, Check]) -> None:
    statuses = {name: check.status for name, check in checks.items()}
    assert statuses == {"workers/hangs": "failed", "workers/killed": "failed", "workers/after": "passed"}


def test_a_worker_that_hangs_is_told_by_the_one_that_waits_for_it(checks: dict[str, Check]) -> None:
    assert checks["workers/hangs"].reason.startswith("did not end within 20 s, in ")


def test_a_worker_that_was_killed_costs_only_its_check(checks: dict[str, Check]) -> None:
    assert checks["workers/killed"].reason.startswith(
        ("RuntimeError: ", "ValueError: ", "EOFError: ")
    )  # torchrl's words vary
    assert checks["workers/killed"].hint


def test_no_worker_is_left(checks: dict[str, Check], left: Path) -> None:
    pids = left.read_text().split()
    assert len(pids) >= 4
    for _ in range(100):  # a killed process takes a moment; one that nobody waits for stays as a zombie
        alive = [pid for pid in pids if _runs(Path(f"/proc/{pid}/stat"))]
        if not alive:
            return
        time.sleep(0.02)
    raise AssertionError(f"the workers {alive} still run")


def _runs(stat: Path) -> bool:
    try:
        return stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_machine_without_shared_memory_is_no_fault_of_torchrl(tmp_path: Path) -> None:
    """In a name space of its own, so that nobody else's memory is taken."""
    (tmp_path / "sharing.py").write_text(SHARING)
    program = (
        "import json, pathlib; from torchrl_preflight.checks import run\n"
        f"report = run.run([pathlib.Path({str(tmp_path / 'sharing.py')!r})])\n"
        "print(json.dumps([check[:6] for check in report.checks]))"
    )
    command = f'mount -t tmpfs -o size=8k tmpfs /dev/shm && exec "{sys.executable}" -c "$0"'
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", command, program],
        capture_output=True,
        text=True,
        check=True,
    )
    shares, does_not = json.loads(done.stdout)
    assert shares[:4] == ["sharing/shares", "sharing", "cpu", "blocked"]
    assert "No space left on device" in shares[4]
    assert shares[5].startswith("Give it more (docker run --shm-size=4g)")
    assert does_not[3] == "passed"
