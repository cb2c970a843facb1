"""docs/adopt.md: what it tells to copy is linted and run as it stands."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from torchrl_preflight.hooks.finding import SEVERITIES
from torchrl_preflight.hooks.rules._find import names

from . import act, events
from .conftest import CPU, CUDA_TEST, GPU, plan, smoke
from .lint import TOOLS, linted

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TEXT = (act.ROOT / "docs" / "adopt.md").read_text()
BLOCKS = [
    (kind, re.sub(f"^{indent}", "", body, flags=re.MULTILINE))
    for indent, kind, body in re.findall(r"^( *)```(\w+)\n(.*?)^ *```", TEXT, re.DOTALL | re.MULTILINE)
]
WORKFLOWS = {
    (number, body.split("\n")[0].removeprefix("# ")): body.replace("FULL-COMMIT-SHA", act.PIN)
    for number, (kind, body) in enumerate(BLOCKS)
    if body.startswith("# .github/workflows/")
}
Run = Callable[..., act.Ran]


def written(step: str) -> str:
    """The workflow under a heading."""
    section = re.search(
        rf"^## {step}\..*?(?=^## |\Z)", TEXT.replace("FULL-COMMIT-SHA", act.PIN), re.DOTALL | re.MULTILINE
    )
    return re.search(r"^```yaml\n(.*?)^```", section[0], re.DOTALL | re.MULTILINE)[1]


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool != "shapes of actions"])
@pytest.mark.parametrize("number, path", WORKFLOWS)
def test_its_workflows_are_clean(tool: str, number: int, path: str, tmp_path: Path) -> None:
    folder = laid(tmp_path, path, WORKFLOWS[number, path])
    if path.endswith("-report.yml"):  # it names the workflow that it waits for
        (folder / path).with_name("preflight.yml").write_text(written("4"))
    done = linted(tool, folder, [path])
    assert done.returncode == 0, done.stdout + done.stderr


def test_github_s_own_parser_takes_its_workflows(parsed, tmp_path: Path) -> None:
    for number, path in WORKFLOWS:
        folder = laid(tmp_path / str(number), path, WORKFLOWS[number, path])
        assert parsed(folder, path) == ""


def laid(folder: Path, path: str, text: str) -> Path:
    """A repository with one workflow, and the linters' strictest settings but for what only this project needs."""
    (folder / path).parent.mkdir(parents=True)
    (folder / path).write_text(text)
    for name in ("zizmor.yml", "jactionlint.yaml"):
        (folder / ".github" / name).write_text((act.ROOT / ".github" / name).read_text())
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    return folder


def test_every_block_is_one_that_is_tested() -> None:
    assert [kind for kind, _ in BLOCKS] == ["yaml", "yaml", "toml", "yaml", "yaml", "yaml", "yaml"]
    assert len(WORKFLOWS) == 5


def test_the_hook_is_the_readme_s() -> None:
    """Which pre-commit runs in the tests of packaging."""
    assert f"```yaml\n{BLOCKS[0][1]}```" in (act.ROOT / "README.md").read_text()


def test_its_severities_are_those_of_rules() -> None:
    rules = tomllib.loads(BLOCKS[2][1])["tool"]["torchrl-preflight"]["rules"]
    assert set(rules) <= set(names())
    assert set(rules.values()) <= {*SEVERITIES, "off"}
    assert set(re.findall(r'enforce-all = \["([a-z-]+)"\]', TEXT)) <= set(names())


def test_the_first_workflow_advises(checkout, preflight: Run) -> None:
    checkout.commit({".github/workflows/preflight.yml": written("2")})
    ran = preflight("pull_request", checkout.merged({"test/test_planted.py": CUDA_TEST}))
    (error,) = (item for item in ran.annotations if item[1].get("title", "").startswith("gpu-marker-missing"))
    assert (error[0], error[1]["file"], error[1]["line"]) == ("error", "test/test_planted.py", "8")
    assert ran.calls[0] == "checkout path= depth=2 persist-credentials=false"
    # GitHub counts the run as a success all the same; act does not know this key of a job.
    assert yaml.safe_load(written("2"))["jobs"]["lint"]["continue-on-error"] is True


def test_everything(checkout, preflight: Run) -> None:
    checkout.commit({".github/workflows/preflight.yml": written("4")})
    ran = preflight("pull_request", checkout.merged({"notes.txt": "x"}), plan(CPU, olddeps=True))
    assert ran.status == 0, ran.log
    assert ran.jobs == dict.fromkeys(("lint", "plan", "smoke-cpu", "gate", "olddeps"), "success")


@pytest.mark.parametrize(("status", "outcome"), [(0, "success"), (1, "failure"), (3, "failure")])
def test_gpu_checks_through_a_job_template(checkout, preflight: Run, tmp_path: Path, status: int, outcome: str) -> None:
    """The script as the template runs it: no files of the runner, results as an artifact, its status counts."""
    checkout.commit({".github/workflows/preflight.yml": written("6")})
    conda = tmp_path / "conda" / "conda"
    conda.parent.mkdir()
    conda.write_text(
        '#!/bin/sh\n[ "$1" != shell.bash ] || echo "conda() { echo \\"conda \\$*\\" >> \\"$STUB_CALLS\\"; }"\n'
    )
    conda.chmod(0o755)
    found = smoke({0: "passed", 1: "failed", 3: "unverified"}[status])
    payload = checkout.merged({"notes.txt": "x"})
    home = {"STUB_CONDA": str(conda.parent), "GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig")}
    ran = preflight("pull_request", payload, plan(GPU, gpu=True), smoked=(found, status), **home)
    assert (ran.result("plan"), ran.result("job")) == ("success", outcome), ran.log
    assert json.loads((ran.artifacts["preflight-smoke-gpu"] / "smoke-gpu.json").read_text()) == found
    assert "linux_job_v2 linux.g5.4xlarge.nvidia.gpu" in ran.calls
    assert ran.calls[-1] == "torchrl-smoke --format json --tier=gpu --device=cuda"
    assert "conda create --yes --quiet --name preflight python=3.12" in ran.calls


def test_without_gpu_tests_the_fleet_is_left_alone(checkout, preflight: Run) -> None:
    checkout.commit({".github/workflows/preflight.yml": written("6")})
    ran = preflight("pull_request", checkout.merged({"notes.txt": "x"}), plan(CPU))
    assert (ran.status, ran.result("plan"), ran.result("job")) == (0, "success", "skipped"), ran.log


def test_after_a_wheel_build(checkout, preflight: Run) -> None:
    checkout.commit({".github/workflows/preflight.yml": written("7")})
    ran = preflight("workflow_dispatch", events.workflow_dispatch(), smoked=(smoke("unverified"), 3))
    assert (ran.status, ran.result("build"), ran.result("smoke")) == (1, "success", "failure"), ran.log
    assert ran.calls[-2:] == [
        "pip install --force-reinstall --no-deps dist/torchrl-0.14.1-cp312-cp312-linux_x86_64.whl",
        "torchrl-smoke --format json --require=ext --tier=cpu --device=cpu",
    ]


def test_a_wheel_whose_extension_does_not_load_is_caught(tmp_path: Path) -> None:
    """With the real torchrl, without its extension: importing it says nothing, and asking for it by name does."""
    import torchrl

    folder = Path(torchrl.__file__).parent
    (tmp_path / "torchrl").mkdir()
    for path in folder.iterdir():
        if not path.name.startswith("_torchrl."):
            (tmp_path / "torchrl" / path.name).symlink_to(path)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    silent = subprocess.run([sys.executable, "-c", "import torchrl"], env=environment, capture_output=True, text=True)
    assert silent.returncode == 0, silent.stderr
    file = tmp_path / "smoke-wheel.json"
    told = {
        "PREFLIGHT_NAME": "smoke-wheel",
        "PREFLIGHT_REQUIRE": "ext",
        "PREFLIGHT_AREAS": "envs",
        "PREFLIGHT_FOLDER": str(tmp_path),
    }
    step = [sys.executable, "-m", "torchrl_preflight.actions.steps.smoke"]
    done = subprocess.run(step, cwd=tmp_path, env={**environment, **told}, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    statuses = {check["id"]: check["status"] for check in json.loads(file.read_text())["checks"]}
    assert (statuses["require/ext"], statuses["envs/extension"]) == ("unverified", "failed")
