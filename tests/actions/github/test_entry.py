"""The entry points as a step starts them: a process of its own that nothing of the current folder reaches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .fake import Fake, zipped
from .stages import finding, labels, lint

HEAD = "a" * 40


@pytest.mark.parametrize("name", ["report", "labels"])
def test_a_process_of_its_own(fake: Fake, tmp_path: Path, name: str) -> None:
    fake.files["master", ".github/labeler.yml"] = b'"Data":\n  - any: []\n'
    files = {
        "preflight-lint": zipped({"lint.json": lint(finding(1))}),
        "preflight-plan": zipped({"labels.json": labels(Data=[])}),
    }
    payload = fake.finish_run(5, HEAD, files)
    if name == "labels":
        payload = {"pull_request": {"number": 7, "head": {"sha": HEAD}}}
        (tmp_path / "labels.json").write_text(json.dumps(labels(Data=[])))
    # What a pull request could put where the step runs.
    for trap in ("json.py", "ghapi.py", "sitecustomize.py"):
        (tmp_path / trap).write_text("raise SystemExit('taken in')\n")
    (tmp_path / "event.json").write_text(json.dumps(payload))
    for made in ("output", "summary"):
        (tmp_path / made).touch()
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "PREFLIGHT_", "GHAPI", "GH_"))
    }
    done = subprocess.run(
        [sys.executable, "-I", "-m", f"torchrl_preflight.actions.github.{name}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={
            **kept,
            "GITHUB_API_URL": fake.url,
            "GITHUB_EVENT_NAME": "pull_request" if name == "labels" else "workflow_run",
            "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
            "GITHUB_OUTPUT": str(tmp_path / "output"),
            "GITHUB_REPOSITORY": fake.repository,
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
            "GITHUB_TOKEN": "token",
            "PREFLIGHT_FOLDER": str(tmp_path),
            "PREFLIGHT_LABELS": "true",
        },
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert fake.labels[7] == ["Data"]
    assert '["Data"]' in (tmp_path / "output").read_text()
    assert len(fake.comments[7]) == (name == "report")


def test_neither_torch_nor_what_the_smoke_checks_need_is_imported() -> None:
    code = (
        "import sys, torchrl_preflight.actions.github.report, torchrl_preflight.actions.github.labels;"
        "print([name for name in ('torch', 'pytest', 'libcst', 'yaml', 'ghapi') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
