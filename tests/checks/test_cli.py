"""The command line: usage, exit statuses, the three forms of the report."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torchrl_preflight.checks import areas, run
from torchrl_preflight.checks.progress import shown_on

from .conftest import Outcome, Site

Smoke = Callable[..., Outcome]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--area", "nope"], "argument --area: invalid choice: 'nope'"),
        (["--steps", "0"], "argument --steps: '0' is no number of steps: 1 or more"),
        (["--steps", "two"], "argument --steps: 'two' is no number of steps: 1 or more"),
        (["--device", "tpu"], "argument --device: invalid choice: 'tpu'"),
        (["--tier", "fast"], "argument --tier: invalid choice: 'fast'"),
        (["--require", ""], "argument --require: '' is no need: a package, ext, cuda or cuda:N"),
        (["--require", "cuda:0"], "argument --require: 'cuda:0' is no need: a package, ext, cuda or cuda:N"),
        (["--format", "xml"], "argument --format: invalid choice: 'xml'"),
        (["doctor", "--format", "xml"], "argument --format: invalid choice: 'xml'"),
        (["plain"], "argument command: invalid choice: 'plain'"),
        (["--area", "envs", "list"], "--area is for a run of checks, and list would not heed it"),
        (["--changed-since", "HEAD", "doctor"], "--changed-since is for a run of checks, and doctor would not heed it"),
        (["--junit-xml", "x.xml", "explain", "extras"], "--junit-xml is for a run of checks, and explain would not"),
    ],
)
def test_wrong_usage_is_one_line(smoke: Smoke, arguments: list[str], words: str) -> None:
    done = smoke(*arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert words in done.err


def test_help_is_no_error(smoke: Smoke) -> None:
    done = smoke("--help")
    assert (done.status, done.err) == (0, "")
    assert "--require NEED" in done.out


def test_an_area_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no area 'nope': the areas are \w+, "):
        run.run(["nope"])


@pytest.fixture(scope="module")
def whole() -> run.Report:
    """One run of everything on the torchrl that is installed."""
    return run.run(steps=4, device="auto", require=["ext", "hydra-core", "no_such_package", "vmas"])


def test_a_healthy_torchrl_has_no_failure(whole: run.Report) -> None:
    failed = [check for check in whole.checks if check.status in ("failed", "blocked")]
    assert failed == []
    ids = [check.id for check in whole.checks]
    assert len(set(ids)) == len(ids)
    assert {check.area for check in whole.checks} == {"require", *areas.names()}
    passed = {check.id for check in whole.checks if check.status == "passed"}
    assert passed >= {
        "envs/imports",
        "envs/extension",
        "envs/pendulum_rollout",
        "envs/pendulum_specs",
        "envs/mocking_env/CountingEnv",
        "envs/mocking_env/MultiAgentCountingEnv",
        "envs/optional_import/hydra-core",
        "require/ext",
        "require/hydra-core",
    }


def test_what_is_not_verified_has_a_reason(whole: run.Report) -> None:
    assert [check.id for check in whole.checks if check.status == "unverified" and not check.reason] == []


def test_a_need_that_is_not_met_makes_the_run_not_green(whole: run.Report) -> None:
    checks = {check.id: check for check in whole.checks}
    missing = checks["require/no_such_package"]
    assert (missing.status, missing.reason) == ("unverified", "no_such_package is not installed")
    assert missing.hint == "pip install no_such_package"
    assert checks["require/vmas"].hint == "pip install 'torchrl[marl]'"
    assert whole.exit_status == 3


def test_no_result_of_the_cpu_has_the_name_of_a_gpu(whole: run.Report) -> None:
    on_gpu = {check.id: check for check in whole.checks if check.id.endswith("@cuda")}
    assert set(on_gpu) >= {"envs/pendulum_rollout@cuda", "envs/pendulum_specs@cuda"}
    expected = "passed" if torch.cuda.is_available() else "unverified"
    assert {check.status for check in on_gpu.values()} == {expected}


def test_the_environment_says_what_was_checked(whole: run.Report) -> None:
    import tensordict
    import torchrl

    it = whole.environment
    assert it["torchrl_file"] == torchrl.__file__
    assert (it["tensordict"], it["torchrl"]) == (tensordict.__version__, torchrl.__version__)
    assert it["extension"] == "loads"
    assert it["gpus"] == [torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count())]


def test_json_is_the_contract(smoke: Smoke) -> None:
    done = smoke("--device", "cuda", "--format", "json")
    assert done.err == ""
    assert list(done.json) == ["schema", "environment", "checks"]
    assert done.json["schema"] == 1
    keys = ["id", "area", "tier", "status", "reason", "hint", "warnings", "seconds"]
    assert {tuple(check) for check in done.json["checks"]} == {tuple(keys)}
    # what takes a device ran on the one asked for or not at all
    assert "envs/pendulum_rollout" not in done.checks
    assert done.status == (0 if torch.cuda.is_available() else 3)
    assert done.checks["require/cuda"]["status"] == ("passed" if torch.cuda.is_available() else "unverified")


def test_the_list_holds_every_check_and_its_needs(smoke: Smoke, whole: run.Report) -> None:
    done = smoke("list", "--format", "json")
    assert done.status == 0
    listed = {entry["id"]: entry for entry in done.json["checks"]}
    of_this_tier = {name for name, entry in listed.items() if entry["tier"] == "cpu"}
    assert of_this_tier == {check.id for check in whole.checks if check.area != "require"}
    assert listed["envs/pendulum_rollout@cuda"]["needs"] == ["cuda"]
    assert listed["envs/mocking_env/CountingEnv"]["needs"] == ["torchrl.testing.mocking_classes"]
    assert [entry["id"] for entry in listed.values() if not entry["summary"]] == []


def test_a_tier_without_checks_is_not_green(site: Site, tmp_path: Path) -> None:
    site.trio()
    (tmp_path / "few.py").write_text("def test_fine(): pass\n")
    report = run.run([tmp_path / "few.py"], tier="mp")
    assert (report.checks, report.exit_status) == ((), 3)


def test_the_interpreter_s_settings_change_no_outcome(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.trio()
    code = "import warnings\n\ndef test_asserts():\n    exec('assert False')\n\ndef test_warns():\n    warnings.warn('careful')\n"
    (tmp_path / "strict.py").write_text(code)
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    statuses = {check.id: check.status for check in run.run([tmp_path / "strict.py"]).checks}
    assert statuses == {"strict/asserts": "failed", "strict/warns": "passed"}


ENDS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), *([(signal.SIGHUP, 129)] if hasattr(signal, "SIGHUP") else [])]


@pytest.mark.parametrize(("sent", "status"), ENDS)
def test_an_interrupt_ends_all_of_it(site: Site, tmp_path: Path, sent: signal.Signals, status: int) -> None:
    reached = tmp_path / "reached"
    code = f"import pathlib, os, time\npathlib.Path({str(reached)!r}).write_text(str(os.getpid()))\ntime.sleep(600)\n"
    site.package("torch", "2.9.0", files={"__init__.py": code})
    program = "import sys; from torchrl_preflight.checks.cli import main; sys.exit(main())"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        while not (reached.exists() and reached.read_text()):
            time.sleep(0.02)
        command.send_signal(sent)
        assert command.communicate() == (b"", b"")
        assert command.returncode == status
    assert not Path(f"/proc/{reached.read_text()}").exists()  # the child was waited for


def test_progress_is_for_terminals(capfd: pytest.CaptureFixture[str]) -> None:
    for stream in (sys.stderr, None):  # None: closed before this process began
        with shown_on(stream) as show:
            assert show is None
    assert capfd.readouterr().err == ""


def test_progress_leaves_the_line_empty(tmp_path: Path) -> None:
    import os

    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as terminal, shown_on(terminal) as show:
        assert show
        show("importing", 0, 0)
        show("envs/imports", 1, 9)
    expected = b"\rimporting ...\x1b[K\r[1/9] envs/imports\x1b[K\r\x1b[K"
    said = b""
    while len(said) < len(expected):  # a terminal hands on what was written in parts
        said += os.read(ours, 1000)
    assert said == expected
    os.close(ours)
