"""What people most often complain of in actions like these, one test each; the numbers say how often.

Those about GitHub's API (1, 2, 9 to 12) are in ``tests/actions/github``. What only a whole run shows (1, 8 and 14) is in
``test_preflight_workflow.py``, too.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from torchrl_preflight.actions.steps import install
from torchrl_preflight.actions.steps.plan import outputs

from . import act, events
from .conftest import CUDA_TEST, Checkout, plan

LABELER = """\
source:
  - changed-files:
      - any-glob-to-any-file: ["src/**", "!**/*.md"]
"""


class Done(NamedTuple):
    """What a step came to."""

    status: int
    log: str
    outputs: dict[str, str]
    summary: str
    folder: Path

    @property
    def annotations(self) -> list[str]:
        return [line for line in self.log.splitlines() if line.startswith("::")]


@pytest.fixture
def step(tmp_path: Path) -> Callable[..., Done]:
    """``step(name, where, event, payload)``: what a composite action runs, with the files of GitHub's runner."""

    def run(name: str, where: Path, event: str, payload: dict[str, Any], **environment: str) -> Done:
        runner = tmp_path / "runner"
        runner.mkdir(exist_ok=True)
        (runner / "event.json").write_text(json.dumps(payload))
        for file in ("output", "summary"):
            (runner / file).write_text("")
        told = {
            "PATH": os.environ["PATH"],
            "HOME": str(runner),
            "XDG_CACHE_HOME": str(runner / "cache"),
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(runner / "event.json"),
            "GITHUB_REF": "refs/pull/12/merge",
            "GITHUB_OUTPUT": str(runner / "output"),
            "GITHUB_STEP_SUMMARY": str(runner / "summary"),
            "PREFLIGHT_FOLDER": str(runner / "preflight"),
            **environment,
        }
        command = [sys.executable, "-I", "-m", f"torchrl_preflight.actions.steps.{name}"]
        done = subprocess.run(command, cwd=where, env=told, capture_output=True, text=True)
        assert "Traceback" not in done.stderr
        found = re.findall(r"^(\S+?)<<(\S+)\n(.*?)\n\2$", (runner / "output").read_text(), re.DOTALL | re.MULTILINE)
        values = {key: value for key, _, value in found}
        log = done.stdout + done.stderr
        return Done(done.returncode, log, values, (runner / "summary").read_text(), runner / "preflight")

    return run


def configured(checkout: Checkout, table: str) -> dict[str, str]:
    return {
        "pyproject.toml": (checkout.folder / "pyproject.toml").read_text() + f"\n[tool.torchrl-preflight]\n{table}\n"
    }


def cloned(checkout: Checkout, folder: Path, *options: str) -> Path:
    subprocess.run(["git", "clone", "--quiet", *options, f"file://{checkout.folder}", folder], check=True)
    return folder


def test_complaint_3_log_and_summary_name_the_ref_of_the_configuration(checkout, step) -> None:
    """Changed configuration seemed to have no effect, as it was read from another ref than people thought."""
    payload = checkout.merged(configured(checkout, 'enforce-all = ["gpu-marker-missing"]'))
    merge = checkout.git("rev-parse", "HEAD")
    done = step("lint", checkout.folder, "pull_request", payload)
    said = f"configuration: pyproject.toml at {merge} (refs/pull/12/merge)"
    assert said in done.log.splitlines()
    assert said in done.summary.splitlines()


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ("tests = 1", 3),
        ("[tool.torchrl-preflight.rules]\nprint-in-library = 'loud'", 4),
        ("waivers = [{rule = 'print-in-library'}]", 3),
        ("tests = ", 3),
    ],
)
def test_complaint_4_a_wrong_configuration_is_one_annotation_with_file_and_line(checkout, step, table, line) -> None:
    before = len((checkout.folder / "pyproject.toml").read_text().splitlines())
    done = step("lint", checkout.folder, "pull_request", checkout.merged(configured(checkout, table)))
    (annotation,) = done.annotations
    assert done.status == 2
    assert annotation.startswith(f"::error file=pyproject.toml,line={before + line},title=torchrl-preflight::")


def test_complaint_4_no_configuration_is_the_defaults(checkout, step) -> None:
    done = step("lint", checkout.folder, "pull_request", checkout.merged({"pyproject.toml": None}))
    assert (done.status, done.annotations) == (0, [])


@pytest.mark.parametrize(
    ("table", "meant"),
    [
        ("enforce_all = []", "enforce_all is unknown (did you mean 'enforce-all'?)"),
        ("[tool.torchrl-preflight.rules]\ngpu-marker-mising = 'off'", "did you mean 'gpu-marker-missing'?"),
        ("nothing-like-it = 1", "nothing-like-it is unknown; allowed: "),
    ],
)
def test_complaint_5_a_key_that_is_not_known_any_more_gives_the_one_that_is(checkout, step, table, meant) -> None:
    """Nothing is silently ignored after a renaming."""
    done = step("lint", checkout.folder, "pull_request", checkout.merged(configured(checkout, table)))
    (annotation,) = done.annotations
    assert (done.status, meant in annotation) == (2, True), annotation


def test_complaint_6_a_clone_too_shallow_names_fetch_depth(checkout, step, tmp_path: Path) -> None:
    payload = checkout.merged({"torchrl/new.py": '"""New."""\n'})
    clone = cloned(checkout, tmp_path / "clone", "--depth=1")
    subprocess.run(["git", "remote", "set-url", "origin", "/nowhere"], cwd=clone, check=True)
    done = step("lint", clone, "pull_request", payload)
    (annotation,) = done.annotations
    assert (done.status, "set fetch-depth: 2" in annotation) == (2, True), annotation


def test_complaint_6_changed_files_are_those_of_the_pull_request(checkout, step) -> None:
    """Base moved ahead, a file renamed, one deleted: only what the pull request brings is new."""
    checkout.commit({"test/test_old.py": CUDA_TEST, "test/test_gone.py": CUDA_TEST.replace("planted", "gone")})
    base = checkout.git("rev-parse", "HEAD")
    checkout.git("switch", "--quiet", "-c", "topic")
    moved = {"test/test_old.py": None, "test/test_moved.py": CUDA_TEST, "test/test_gone.py": None}
    head = checkout.commit({**moved, "test/test_new.py": CUDA_TEST.replace("planted", "new")})
    checkout.git("switch", "--quiet", "--detach", base)
    ahead = checkout.commit({"test/test_ahead.py": CUDA_TEST.replace("planted", "ahead")}, "main moved on")
    checkout.git("merge", "--quiet", "--no-ff", "-m", "merge", head)
    done = step("lint", checkout.folder, "pull_request", events.pull_request(ahead, head))
    found = json.loads((done.folder / "lint.json").read_text())["findings"]
    assert [item["symbol"] for item in found if item["rule"] == "gpu-marker-missing"] == ["test_new"]
    assert f"compared with: {ahead} (first parent of the merge commit)" in done.log


@pytest.mark.parametrize(
    ("path", "expected"), [("README.md", []), ("src/README.md", ["source"]), ("src/a.c", ["source"])]
)
def test_complaint_7_a_negated_pattern_does_not_match_everything(
    checkout, step, path: str, expected: list[str]
) -> None:
    checkout.commit({".github/labeler.yml": LABELER})
    done = step("labels", checkout.folder, "pull_request", checkout.merged({path: "x"}))
    assert (done.status, json.loads(done.outputs["labels"])) == (0, expected), done.log


@pytest.mark.parametrize("name", ["lint", "labels", "plan"])
@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("push", events.push("HEAD^", "HEAD")),
        ("push", events.push(events.ZERO, "HEAD", branch="topic")),
        ("merge_group", events.merge_group("HEAD^", "HEAD")),
        ("workflow_dispatch", events.workflow_dispatch("topic")),
        ("schedule", {"schedule": "0 4 * * *", "repository": events.repository()}),
        ("repository_dispatch", {}),
    ],
    ids=["push", "first push", "merge group", "by hand", "schedule", "empty"],
)
def test_complaint_8_events_without_a_pull_request(
    checkout, step, tmp_path: Path, name: str, event: str, payload
) -> None:
    before = checkout.git("rev-parse", "HEAD")
    checkout.git("switch", "--quiet", "-c", "topic")
    after = checkout.commit({"torchrl/new.py": '"""New."""\n'})
    text = json.dumps(payload).replace("HEAD^", before).replace("HEAD", after)
    clone = cloned(checkout, tmp_path / "clone")
    done = step(name, clone, event, json.loads(text))
    assert done.status == 0, done.log


def test_complaint_13_annotations_beyond_github_s_limit_are_counted(checkout, step) -> None:
    """GitHub drops the eleventh silently; the log, the summary and the files have all twelve."""
    files = {f"test/test_{number:02}.py": CUDA_TEST.replace("planted", f"{number:02}") for number in range(12)}
    done = step("lint", checkout.folder, "pull_request", checkout.merged(files))
    errors = [line for line in done.annotations if line.startswith("::error ")]
    assert (done.status, len(errors)) == (1, 10)
    assert any(line.startswith("::notice ") and "2 more findings" in line for line in done.annotations)
    for symbol in (f"test_{number:02}" for number in range(12)):
        assert symbol in done.log
        assert symbol in done.summary
    assert done.outputs["new-errors"] == "12"


def test_complaint_14_nothing_to_do_is_no_empty_matrix_and_no_pending_check() -> None:
    nothing = outputs(plan())
    assert (nothing["cpu-matrix"], nothing["gpu-matrix"], nothing["anything"]) == ("", "", "false")
    for path in (act.ROOT / ".github" / "workflows").glob("*.yml"):
        document = yaml.safe_load(path.read_text())
        for event in document[True].values():
            assert not {"paths", "paths-ignore"} & set(event or ()), path
        for job in document["jobs"].values():
            if "needs.plan" in str(job.get("strategy", "")):
                matrix = re.search(r"needs\.plan\.outputs\.\w+-matrix", str(job["strategy"]))[0]
                assert f"{matrix} != ''" in job["if"]
    gate = yaml.safe_load((act.ROOT / ".github" / "workflows" / "preflight.yml").read_text())["jobs"]["gate"]
    assert gate["if"] == "${{ always() }}"


def test_complaint_15_the_cache_depends_on_python_and_this_tool(monkeypatch, tmp_path: Path) -> None:
    """Facts of another version are never restored. That nothing runs on a deprecated runtime is in test_pins.py."""
    key = install.cache_key()
    python = ".".join(map(str, sys.version_info[:3]))
    assert re.fullmatch(
        rf"torchrl-preflight-\w+-\w+-{re.escape(python)}-{re.escape(install.version())}-[0-9a-f]{{16}}", key
    )
    copy = act.toolkit(tmp_path / "copy")
    monkeypatch.setattr(install, "ROOT", copy)
    before = install.cache_key()
    (copy / "hooks" / "facts" / "python.py").write_text("changed\n")
    assert install.cache_key() != before
    (copy / "pyproject.toml").write_text('[project]\nversion = "9.9"\n')
    assert "-9.9-" in install.cache_key()
    setup = yaml.safe_load((act.ROOT / "actions" / "setup" / "action.yml").read_text())
    saving = [step for step in setup["runs"]["steps"] if step.get("uses", "").startswith("actions/cache@")]
    # What is written where everybody reads it comes from pushes to the default branch alone.
    assert [step["if"] for step in saving] == [
        "${{ inputs.cache == 'true' && github.event_name == 'push' && github.ref_name == github.event.repository.default_branch }}"
    ]


def test_complaint_15_everything_works_without_a_cache(checkout, step, tmp_path: Path) -> None:
    payload = checkout.merged({"test/test_planted.py": CUDA_TEST})
    (tmp_path / "file").write_text("")
    with_one = step("lint", checkout.folder, "pull_request", payload)
    without = step("lint", checkout.folder, "pull_request", payload, XDG_CACHE_HOME=str(tmp_path / "file"))
    assert with_one.annotations == without.annotations != []
