"""preflight.yml, run by act for every event that it is called on."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
import yaml

from . import act, events
from .conftest import CALLER, CPU, CUDA_TEST, GPU, Checkout, plan, smoke

CLEAN = {"torchrl/new.py": '"""Nothing."""\n'}
BAD = {"test/test_planted.py": CUDA_TEST}
GREEN = {"lint": "success", "plan": "success", "gate": "success"}


def said(ran: act.Ran, kind: str) -> list[str]:
    return [message for name, _, message in ran.annotations if name == kind]


def kept(ran: act.Ran, artifact: str, file: str) -> dict:
    return json.loads((ran.artifacts[artifact] / file).read_text())


def test_pull_request_from_a_fork(checkout, preflight) -> None:
    payload = checkout.merged(CLEAN)
    ran = preflight("pull_request", payload, plan(CPU))
    assert (ran.status, ran.jobs) == (0, {**GREEN, "smoke-cpu": "success"}), ran.log
    base, head = (payload["pull_request"][side]["sha"] for side in ("base", "head"))
    assert f"compared with: {base} (first parent of the merge commit)" in ran.log, ran.log
    # Nothing of a job can use its token by way of git, and the change is data beside the toolkit.
    assert {call for call in ran.calls if call.startswith("checkout")} == {
        "checkout path= depth=1 persist-credentials=false",
        "checkout path=change depth=2 persist-credentials=false",
        "checkout path=change depth=1 persist-credentials=false",
    }
    assert sorted(ran.artifacts) == ["preflight-gate", "preflight-lint", "preflight-plan", "preflight-smoke-cpu"]
    assert kept(ran, "preflight-lint", "lint.json")["findings"] == []
    assert kept(ran, "preflight-smoke-cpu", "smoke-cpu.json") == smoke("passed")
    assert kept(ran, "preflight-gate", "run.json") == {
        "schema": 1,
        "head_sha": head,
        "number": 12,
        "event": "pull_request",
        "run_id": 1,
        "results": {"lint": "success", "plan": "success", "smoke-cpu": "success", "smoke-gpu": "skipped"},
        "gpu": "not needed",
    }


def test_a_stacked_pull_request_is_compared_with_its_own_base(checkout, preflight) -> None:
    checkout.git("switch", "--quiet", "-c", "lower")
    lower = checkout.commit(BAD, "the lower pull request's fault")
    ran = preflight("pull_request", checkout.merged(CLEAN, into="lower"))
    assert (ran.status, ran.jobs) == (0, GREEN), ran.log
    assert f"compared with: {lower} (first parent of the merge commit)" in ran.log, ran.log


def test_push_of_several_commits(checkout, preflight) -> None:
    before = checkout.git("rev-parse", "HEAD")
    checkout.commit(BAD, "the fault is in the first of three")
    checkout.commit(CLEAN)
    after = checkout.commit({"torchrl/newer.py": '"""Nothing."""\n'})
    ran = preflight("push", events.push(before, after))
    assert (ran.status, ran.result("lint"), ran.result("gate")) == (1, "failure", "failure"), ran.log
    assert f"compared with: {before} (before of the push)" in ran.log, ran.log
    assert [found["rule"] for found in kept(ran, "preflight-lint", "lint.json")["findings"]] == ["gpu-marker-missing"]


def test_first_push_of_a_branch_has_no_before(checkout, preflight) -> None:
    """Events without a pull request: the zero id is no commit; the branch is compared with where it left main."""
    main = checkout.git("rev-parse", "HEAD")
    checkout.git("switch", "--quiet", "-c", "topic")
    ran = preflight("push", events.push(events.ZERO, checkout.commit(CLEAN), branch="topic"))
    assert (ran.status, ran.jobs) == (0, GREEN), ran.log
    assert f"compared with: {main} (merge base with origin/main)" in ran.log, ran.log


def test_merge_group(checkout, preflight) -> None:
    base = checkout.git("rev-parse", "HEAD")
    checkout.git("switch", "--quiet", "-c", "gh-readonly-queue/main/pr-12")
    ran = preflight("merge_group", events.merge_group(base, checkout.commit(CLEAN)))
    assert (ran.status, ran.jobs) == (0, GREEN), ran.log
    assert f"compared with: {base} (merge group base)" in ran.log, ran.log


def test_workflow_dispatch(checkout, preflight) -> None:
    """Nothing of an event is needed; the default branch differs from itself by nothing."""
    ran = preflight("workflow_dispatch", events.workflow_dispatch())
    assert (ran.status, ran.jobs) == (0, GREEN), ran.log
    assert "nothing to judge: no file differs from the base" in ran.log, ran.log
    assert kept(ran, "preflight-gate", "run.json")["number"] is None


def test_a_change_of_documentation_alone_starts_no_smoke_job_and_is_green(checkout, preflight) -> None:
    """A required check must not stay pending, nor count a job that was not needed as a failure: no paths filter, no empty matrix."""
    ran = preflight("pull_request", checkout.merged({"docs/source/index.rst": "Title\n=====\n"}))
    assert (ran.status, ran.jobs) == (0, GREEN), ran.log
    assert "nothing to run for this change" in ran.summary
    assert re.search(r"set-output:: cpu-matrix=\n", ran.log)


def test_nothing_to_do_is_green(checkout, preflight) -> None:
    ran = preflight("pull_request", checkout.merged({}))
    assert (ran.status, ran.jobs) == (0, GREEN), ran.log


def test_a_new_error_fails_lint_and_gate_but_not_the_plan(checkout, preflight) -> None:
    """Also on a fork, whose token can write nothing: the status is lint's, the summary and the files are whole."""
    ran = preflight("pull_request", checkout.merged(BAD), plan(CPU, GPU, gpu=True, olddeps=True))
    assert (ran.status, ran.jobs) == (
        1,
        {"lint": "failure", "plan": "success", "smoke-cpu": "success", "gate": "failure"},
    ), ran.log
    error, verdict = (item for item in ran.annotations if item[0] == "error")
    assert (error[1]["file"], error[1]["line"]) == ("test/test_planted.py", "8")
    assert verdict[2] == "lint failure, plan success, smoke on CPU success, smoke on GPU skipped"
    assert kept(ran, "preflight-gate", "run.json")["results"]["lint"] == "failure"
    assert [found["symbol"] for found in kept(ran, "preflight-lint", "lint.json")["findings"]] == ["test_planted"]
    assert "::set-output:: olddeps=true" in ran.log, ran.log


def test_a_failed_smoke_check_fails_the_gate_and_saves_the_gpu(checkout, preflight) -> None:
    caller(checkout, "gpu-runner: gpu")
    payload = checkout.merged(CLEAN)
    ran = preflight("pull_request", payload, plan(CPU, GPU, gpu=True), smoked=(smoke("failed"), 1))
    assert (ran.status, ran.jobs) == (1, {**GREEN, "smoke-cpu": "failure", "gate": "failure"}), ran.log
    assert "failed: envs/rollout: because" in said(ran, "error")
    assert kept(ran, "preflight-smoke-cpu", "smoke-cpu.json") == smoke("failed")
    assert kept(ran, "preflight-gate", "run.json")["gpu"] == "unverified"


def test_a_smoke_run_that_verified_nothing_is_not_green(checkout, preflight) -> None:
    payload = checkout.merged(CLEAN)
    ran = preflight("pull_request", payload, plan(CPU), smoked=(smoke("unverified"), 3))
    assert (ran.status, ran.result("smoke-cpu"), ran.result("gate")) == (1, "failure", "failure"), ran.log
    assert "::set-output:: status=unverified" in ran.log, ran.log


def test_without_a_gpu_runner_gpu_checks_are_unverified(checkout, preflight) -> None:
    ran = preflight("pull_request", checkout.merged(CLEAN), plan(CPU, GPU, gpu=True))
    assert (ran.status, ran.jobs) == (0, {**GREEN, "smoke-cpu": "success"}), ran.log
    (warning,) = said(ran, "warning")
    assert warning.startswith("GPU checks of this change are unverified")
    assert "| smoke, GPU | unverified |" in ran.summary
    assert kept(ran, "preflight-gate", "run.json")["gpu"] == "unverified"
    assert "::set-output:: gpu-checks=unverified" in ran.log, ran.log


def test_with_a_gpu_runner_they_run_there(checkout, preflight) -> None:
    caller(checkout, "gpu-runner: '[\"gpu\"]'", "cpu-runner: '[\"ubuntu-latest\"]'", "torch: nightly")
    ran = preflight("pull_request", checkout.merged(CLEAN), plan(CPU, GPU, gpu=True))
    assert (ran.status, ran.jobs) == (0, {**GREEN, "smoke-cpu": "success", "smoke-gpu": "success"}), ran.log
    assert "torchrl-smoke --format json --area=envs --tier=gpu --device=cuda" in ran.calls
    assert kept(ran, "preflight-gate", "run.json")["gpu"] == "passed"
    torch = [call.split("--quiet ")[1] for call in ran.calls if "pip" in call and "--pre torch" in call]
    assert torch == [
        "--pre torch --index-url https://download.pytorch.org/whl/nightly/cpu",
        "--pre torch --index-url https://download.pytorch.org/whl/nightly/cu130",
    ]


def test_the_plan_chooses_a_callers_own_jobs(checkout, preflight) -> None:
    """Outputs instead of labels: a suite starts on the first push, without anybody setting anything."""
    own = """\
  {name}:
    needs: preflight
    if: needs.preflight.outputs.{name} == 'true'
    runs-on: ubuntu-latest
    steps:
      - env:
          LABELS: ${{{{ needs.preflight.outputs.labels }}}}
          AREAS: ${{{{ needs.preflight.outputs.areas }}}}
          TESTS: ${{{{ needs.preflight.outputs.tests }}}}
        run: echo "{name} runs for $LABELS $AREAS $TESTS"
"""
    caller(checkout, after=own.format(name="olddeps") + own.format(name="optdeps"))
    planned = plan(
        CPU,
        olddeps=True,
        areas=["envs"],
        labels=[{"label": "ci/olddeps", "file": "torchrl/new.py", "reason": "x"}],
        tests=[{"path": "test/test env.py", "reason": "x", "minutes": 1.0}],
    )
    ran = preflight("pull_request", checkout.merged(CLEAN), planned)
    assert (ran.status, ran.result("olddeps"), ran.result("optdeps")) == (0, "success", "skipped"), ran.log
    assert 'olddeps runs for ["ci/olddeps"] ["envs"] ["test/test env.py"]' in ran.log, ran.log


def test_a_plan_that_fails_is_not_nothing_to_do(checkout, preflight, tmp_path: Path) -> None:
    ran = preflight("pull_request", checkout.merged(CLEAN), STUB_PLAN_STATUS="2")
    assert (ran.status, ran.jobs) == (1, {"lint": "success", "plan": "failure", "gate": "failure"}), ran.log
    assert kept(ran, "preflight-gate", "run.json")["gpu"] == "unverified"


def test_with_the_real_plan(checkout, preflight) -> None:
    """The plan's own words go through outputs and the matrix to the smoke job."""
    payload = checkout.merged({"torchrl/envs/common.py": "class EnvBase:\n    new = 1\n"})
    ran = preflight("pull_request", payload, STUB_PLAN="")
    assert (ran.result("plan"), ran.result("smoke-cpu")) == ("success", "success"), ran.log
    made = kept(ran, "preflight-plan", "plan.json")
    rows = [row for row in made["matrix"]["include"] if row["device"] == "cpu" and row["areas"]]
    assert "envs" in made["areas"]
    assert {call for call in ran.calls if call.startswith("torchrl-smoke --format")} == {
        " ".join(["torchrl-smoke --format json", *(f"--area={area}" for area in row["areas"].split(",")),
                  f"--tier={row['tier']}", "--device=cpu"])
        for row in rows
    }  # fmt: skip
    assert {f"preflight-{row['name']}" for row in rows} <= set(ran.artifacts)


def test_this_project_s_own_workflow_has_nothing_to_do(toolkit, interpreter, tmp_path: Path) -> None:
    """It calls preflight.yml as others do; no profile fits this tree, so the gate is green with nothing run."""
    own = Checkout(shutil.copytree(toolkit, tmp_path / "own"))
    for command in ("init --quiet --initial-branch=main", "config user.name a", "config user.email a@example.org"):
        own.git(*command.split())
    base = own.commit({}, "base")
    head = own.commit({"notes.txt": "x"})
    runner = act.Runner(tmp_path / "act", interpreter, toolkit)
    real = {"STUB_PLAN": "", "STUB_REAL": str(Path(sysconfig.get_path("scripts"), "torchrl-smoke"))}
    ran = runner.run(own.folder, ".github/workflows/ci.yml", "push", events.push(base, head), real, job="preflight")
    assert (ran.status, ran.jobs) == (0, GREEN), ran.log
    assert "no profile fits this tree" in ran.log


RESULTS = ("success", "failure", "cancelled", "skipped")


@pytest.mark.parametrize("smoke_cpu", RESULTS)
@pytest.mark.parametrize("planned", RESULTS)
@pytest.mark.parametrize("lint", RESULTS)
def test_gate(lint: str, planned: str, smoke_cpu: str, tmp_path: Path) -> None:
    """What act cannot bring about: every result that GitHub knows, a cancelled one included."""
    done = gate(tmp_path, LINT=lint, PLAN=planned, SMOKE_CPU=smoke_cpu, SMOKE_GPU="skipped", GPU="false")
    good = lint == planned == "success" and smoke_cpu in ("success", "skipped")
    assert done == (0 if good else 1, "not needed")


@pytest.mark.parametrize(
    ("wanted", "result", "status", "checks"),
    [
        ("false", "skipped", 0, "not needed"),
        ("true", "success", 0, "passed"),
        ("true", "skipped", 0, "unverified"),
        ("true", "failure", 1, "failed"),
        ("true", "cancelled", 1, "unverified"),
        ("", "skipped", 0, "unverified"),
    ],
)
def test_gate_says_what_became_of_gpu_checks(
    wanted: str, result: str, status: int, checks: str, tmp_path: Path
) -> None:
    found = gate(tmp_path, LINT="success", PLAN="success", SMOKE_CPU="success", SMOKE_GPU=result, GPU=wanted)
    assert found == (status, checks)


def gate(folder: Path, **results: str) -> tuple[int, str]:
    """The exit status of the gate's own script, and its output."""
    workflow = yaml.safe_load((act.ROOT / ".github" / "workflows" / "preflight.yml").read_text())
    step = workflow["jobs"]["gate"]["steps"][0]
    given = {"HEAD_SHA": "a" * 40, "NUMBER": "null", "FOLDER": str(folder / "preflight"), **results}
    assert given.keys() == step["env"].keys()
    files = {name: str(folder / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    runner = {"GITHUB_EVENT_NAME": "push", "GITHUB_RUN_ID": "1", "PATH": os.environ["PATH"]}
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(shell, env={**given, **files, **runner}, capture_output=True, text=True)
    assert done.stderr == ""
    run = json.loads((folder / "preflight" / "run.json").read_text())
    assert (folder / "GITHUB_OUTPUT").read_text() == f"gpu-checks={run['gpu']}\n"
    return done.returncode, run["gpu"]


def caller(checkout, *inputs: str, after: str = "") -> None:
    """Rewrites the caller's workflow: inputs of the reusable one, and further jobs."""
    given = f"    with:\n{''.join(f'      {line}' + chr(10) for line in inputs)}" if inputs else ""
    checkout.commit({".github/workflows/preflight.yml": CALLER + given + after})
