"""Checks that hang, crash, leave processes behind: each costs itself, and says why."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from torchrl_preflight.checks import areas, process, run
from torchrl_preflight.checks.record import Check

from .conftest import Outcome, Site

FAULTS = """
import ctypes, os, pathlib, subprocess, sys, time, warnings
import pytest

def test_first():
    pass

@pytest.mark.limit(0.5)
def test_hangs():
    while True:
        time.sleep(0.1)

def test_segfault():
    ctypes.string_at(0)

@pytest.mark.limit(0.5)
def test_hangs_with_the_interpreter_locked():
    ctypes.PyDLL(None).sleep(30)

def test_exit():
    os._exit(0)

def test_system_exit():
    sys.exit(3)

def test_raises():
    assert 1 == 2, "no\\n  such | thing"

def test_warns():
    warnings.warn("careful")
    warnings.warn("careful", DeprecationWarning)

def test_prints(capfd):
    os.write(1, b"no event")
    print("{}")

@pytest.mark.parametrize("name", ["one", "two"])
def test_sweep(name, note):
    note(f"saw {name}")

@pytest.mark.needs("no_such_package")
def test_needs():
    raise AssertionError("not to be run")

TABLE = {"known": [{"checks": ["known/one", "known/two"], "error": "KeyError", "reason": "it is old"}]}

@pytest.mark.parametrize("name", ["one", "two", "three"])
def test_known(name):
    if name != "two":
        raise KeyError(name)

@pytest.mark.needs("torchrl.envs.NoSuchEnv")
def test_name_of_another_release():
    raise AssertionError("not to be run")

@pytest.mark.needs("torchrl.envs.EnvBase", "torchrl.data")
def test_name_of_this_release():
    pass

def test_skips():
    pytest.skip("not today")

@pytest.mark.parametrize("name", [])
def test_sweep_over_nothing(name):
    raise AssertionError("not to be run")

def test_leaves_a_process():
    left = subprocess.Popen(["sleep", "600"])
    pathlib.Path(os.environ["LEFT"]).write_text(str(left.pid))

def test_temporary_folder():
    import tempfile
    pathlib.Path(os.environ["LEFT"] + "-folder").write_text(tempfile.mkdtemp())

@pytest.mark.tier("mp")
def test_other_tier():
    raise AssertionError("not to be run")

def test_last():
    pass
"""


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("left") / "pid"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, left: Path) -> run.Report:
    """One run of the checks above, of a module that cannot be imported and of one that is for another release."""
    folder = tmp_path_factory.mktemp("faults")
    (folder / "faults.py").write_text(FAULTS)
    (folder / "broken.py").write_text("from torchrl.envs import NoSuchEnv\n")
    (folder / "foreign.py").write_text(
        'from torchrl_preflight.checks.outcome import Unverified\nraise Unverified("for another release", "pip x")\n'
    )
    os.environ["LEFT"] = str(left)
    try:
        return run.run([folder / "faults.py", folder / "broken.py", folder / "foreign.py"])
    finally:
        del os.environ["LEFT"]


@pytest.fixture
def checks(report: run.Report) -> dict[str, Check]:
    return {check.id: check for check in report.checks}


def test_every_check_has_one_answer(report: run.Report) -> None:
    assert [(check.id, check.status) for check in report.checks] == [
        ("broken", "failed"),
        ("foreign", "unverified"),
        ("faults/first", "passed"),
        ("faults/hangs", "failed"),
        ("faults/segfault", "failed"),
        ("faults/hangs_with_the_interpreter_locked", "failed"),
        ("faults/exit", "failed"),
        ("faults/system_exit", "failed"),
        ("faults/raises", "failed"),
        ("faults/warns", "passed"),
        ("faults/prints", "passed"),
        ("faults/sweep/one", "passed"),
        ("faults/sweep/two", "passed"),
        ("faults/needs", "unverified"),
        ("faults/known/one", "unverified"),
        ("faults/known/two", "passed"),
        ("faults/known/three", "failed"),
        ("faults/name_of_another_release", "unverified"),
        ("faults/name_of_this_release", "passed"),
        ("faults/skips", "unverified"),
        ("faults/sweep_over_nothing", "unverified"),
        ("faults/leaves_a_process", "passed"),
        ("faults/temporary_folder", "passed"),
        ("faults/last", "passed"),
    ]
    assert report.exit_status == 1


def test_a_hang_says_where(checks: dict[str, Check]) -> None:
    assert checks["faults/hangs"].reason.startswith("did not end within 0.5 s, in test_hangs (")
    locked = checks["faults/hangs_with_the_interpreter_locked"].reason
    assert locked.startswith("did not end within 0.5 s, in test_hangs_with_the_interpreter_locked (")
    assert checks["faults/hangs"].seconds >= 0.5


def test_a_crash_says_what_and_where(checks: dict[str, Check]) -> None:
    assert checks["faults/segfault"].reason.startswith("its process was ended by SIGSEGV, in string_at (")
    assert checks["faults/exit"].reason == "its process ended itself with status 0"
    assert checks["faults/system_exit"].reason.startswith("SystemExit: 3 (")


def test_an_exception_is_one_line_with_its_place(checks: dict[str, Check]) -> None:
    assert checks["faults/raises"].reason.startswith("AssertionError: no such | thing assert 1 == 2 (")
    assert checks["faults/raises"].reason.endswith("faults.py:27)")
    assert checks["broken"].reason.startswith("ImportError: cannot import name 'NoSuchEnv' from 'torchrl.envs'")


def test_a_failure_that_the_table_of_an_area_knows_is_unverified(checks: dict[str, Check]) -> None:
    assert checks["faults/known/one"].reason == "known exception: it is old"
    assert checks["faults/known/two"].reason == "improved, update the table: this was known to fail (it is old)"
    assert checks["faults/known/three"].reason.startswith("KeyError: 'three' (")


def test_warnings_are_recorded(checks: dict[str, Check]) -> None:
    first, second = checks["faults/warns"].warnings
    assert first.startswith("UserWarning: careful (")
    assert second.startswith("DeprecationWarning: careful (")
    assert checks["faults/prints"].warnings == ()


def test_a_need_that_is_not_met_says_what_would_meet_it(checks: dict[str, Check]) -> None:
    assert checks["faults/needs"][4:6] == ("no_such_package is not installed", "pip install no_such_package")
    assert checks["foreign"][4:6] == ("for another release", "pip x")
    assert checks["faults/skips"].reason == "not today"
    assert checks["faults/name_of_another_release"].reason.endswith(" has no torchrl.envs.NoSuchEnv")


def test_a_note_is_the_reason_of_a_pass(checks: dict[str, Check]) -> None:
    assert (checks["faults/sweep/one"].reason, checks["faults/sweep/two"].reason) == ("saw one", "saw two")
    assert checks["faults/last"].reason == ""


def test_nothing_is_left_behind(report: run.Report, left: Path) -> None:
    state = Path(f"/proc/{left.read_text()}/stat")
    for _ in range(100):  # a killed process takes a moment; one that nobody waits for stays as a zombie
        if not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            break
        time.sleep(0.02)
    else:
        raise AssertionError(f"the process {left.read_text()} still runs")
    assert not Path(left.with_name("pid-folder").read_text()).exists()


def test_a_crash_on_the_way_out_is_a_failure(site: Site, tmp_path: Path) -> None:
    site.trio()
    (tmp_path / "leaving.py").write_text("import atexit, os\natexit.register(os._exit, 9)\ndef test_fine(): pass\n")
    report = run.run([tmp_path / "leaving.py"])
    assert [check[:5] for check in report.checks] == [
        ("leaving/fine", "leaving", "cpu", "passed", ""),
        ("leaving/exit", "leaving", "cpu", "failed", "after the last check, its process ended itself with status 9"),
    ]


def test_a_process_that_does_not_end_itself_is_ended(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.trio()
    monkeypatch.setattr(process, "GRACE", 0.5)
    (tmp_path / "deaf.py").write_text(
        "import faulthandler, pytest, time\n@pytest.mark.limit(0.5)\ndef test_deaf():\n"
        "    faulthandler.cancel_dump_traceback_later()\n    time.sleep(600)\ndef test_after(): pass\n"
    )
    deaf, after = run.run([tmp_path / "deaf.py"]).checks
    assert deaf.reason == "did not end within 0.5 s, nor 0.5 s later when it should have ended itself"
    assert (deaf.status, after.status) == ("failed", "passed")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import os; os.abort()", "its process was ended by SIGABRT, in <module> ("),
        ("import os; os._exit(7)", "its process ended itself with status 7"),
        (
            "import os; os.kill(os.getpid(), 9)",
            "its process was ended by SIGKILL, as the kernel does when memory runs out",
        ),
    ],
)
def test_a_crash_of_an_import_blocks_everything(
    site: Site, smoke: Callable[..., Outcome], code: str, reason: str
) -> None:
    site.trio(envs=code)
    done = smoke("--require", "ext", "--format", "json")
    assert (done.status, set(done.checks)) == (3, {*areas.names(), "require/ext"})
    for check in done.checks.values():
        assert check["status"] == "blocked"
        assert check["reason"].startswith(reason)
        assert check["hint"] == "torchrl-smoke doctor"


def test_an_import_that_hangs_blocks_everything(
    site: Site, smoke: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "STARTUP", 1.0)
    monkeypatch.setattr(process, "GRACE", 0.5)
    site.trio(envs="import time; time.sleep(600)")
    done = smoke("--format", "json")
    assert (done.status, done.checks["envs"]["status"]) == (3, "blocked")
    assert done.checks["envs"]["reason"].startswith("did not end within 1 s, nor 0.5 s later")


def test_a_torchrl_that_is_broken_of_itself_fails(site: Site, smoke: Callable[..., Outcome]) -> None:
    site.trio(envs="from torch import no_such_name")
    done = smoke("--format", "json")
    assert done.status == 1
    assert done.checks["envs"]["status"] == "failed"
    assert done.checks["envs"]["reason"].startswith("torchrl.envs cannot be imported: ImportError: cannot import name")
    listed = smoke("list")
    assert (listed.status, listed.out, listed.err.count("\n")) == (3, "", 1)
