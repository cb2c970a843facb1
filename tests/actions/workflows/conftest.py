"""A small checkout of pytorch/rl whose workflow calls this project's, changes to it, and a place to run it in."""

from __future__ import annotations

import json
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from . import act, events, lint

BASE = act.ROOT / "tests" / "hooks" / "rules" / "_base"
CALLER = f"""\
name: preflight
on: [pull_request, push, merge_group, workflow_dispatch]
permissions: {{}}
jobs:
  preflight:
    permissions:
      contents: read
    uses: {act.TOOLKIT}/.github/workflows/preflight.yml@{act.PIN}
"""
CUDA_TEST = (
    "from __future__ import annotations\n\nimport pytest\nimport torch\n\n\n"
    '@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")\n'
    "def test_planted():\n    assert True\n\n\n"
    'if __name__ == "__main__":\n    pytest.main([__file__])\n'
)


class Checkout:
    """A repository in which changes are committed one after another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def commit(self, files: dict[str, str | None], message: str = "change") -> str:
        """Writes (or, for None, deletes) files and commits; the commit."""
        for path, text in files.items():
            file = self.folder / path
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def merged(self, files: dict[str, str | None], branch: str = "topic", **words: Any) -> dict[str, Any]:
        """Leaves the test merge of a pull request with these files checked out, as GitHub does; its payload."""
        base = self.git("rev-parse", "HEAD")
        self.git("switch", "--quiet", "-c", branch)
        head = self.commit(files)
        self.git("switch", "--quiet", "--detach", base)
        self.git("merge", "--quiet", "--no-ff", "-m", f"Merge {head} into {base}", head)
        return events.pull_request(base, head, branch=branch, **words)


@pytest.fixture(scope="session")
def interpreter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return act.environment(tmp_path_factory.mktemp("python") / "env")


@pytest.fixture(scope="session")
def toolkit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return act.toolkit(tmp_path_factory.mktemp("toolkit"))


@pytest.fixture(scope="session")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> lint.Parser:
    """``parsed(folder, *paths)``: what GitHub's own parser says."""
    return lint.Parser(tmp_path_factory.mktemp("npm"))


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with one commit on main; copied, never changed."""
    folder = tmp_path_factory.mktemp("pristine") / "rl"
    shutil.copytree(BASE, folder)
    (folder / ".github" / "workflows").mkdir(parents=True, exist_ok=True)
    (folder / ".github" / "workflows" / "preflight.yml").write_text(CALLER)
    made = Checkout(folder)
    made.git("init", "--quiet", "--initial-branch=main")
    for key, value in (("user.name", "a"), ("user.email", "a@example.org"), ("uploadpack.allowAnySHA1InWant", "true")):
        made.git("config", key, value)
    made.git("remote", "add", "origin", "https://github.com/pytorch/rl")
    made.commit({}, "base")
    return folder


@pytest.fixture
def checkout(pristine: Path, tmp_path: Path) -> Checkout:
    return Checkout(shutil.copytree(pristine, tmp_path / "rl", symlinks=True))


def plan(*rows: dict[str, str], **values: Any) -> dict[str, Any]:
    """What ``torchrl-smoke plan`` says; rows of its matrix, nothing to do without any."""
    return {
        "schema": 1, "base": {}, "areas": [], "checks": [], "tests": [], "labels": [], "gpu": False, "olddeps": False,
        "optdeps": False, "unmapped": [], "anything": bool(rows), "notes": [],
        "matrix": {"include": [{"tests": "", "minutes": 0.5, "tier": "cpu", "device": "cpu", **row} for row in rows]},
        **values,
    }  # fmt: skip


CPU = {"name": "smoke-cpu", "areas": "envs"}
GPU = {"name": "smoke-gpu", "areas": "envs", "device": "cuda", "tier": "gpu"}


def smoke(status: str) -> dict[str, Any]:
    """What ``torchrl-smoke`` says of one check."""
    check = {"id": "envs/rollout", "area": "envs", "tier": "cpu", "status": status, "reason": "because", "hint": ""}
    return {"schema": 1, "environment": {"torch": "2.14.1"}, "checks": [{**check, "warnings": [], "seconds": 0.1}]}


@pytest.fixture
def preflight(checkout: Checkout, interpreter: Path, toolkit: Path, tmp_path: Path) -> Callable[..., act.Ran]:
    """``preflight(event, payload, planned=..., smoked=...)`` runs the caller's workflow."""

    def run(
        event: str,
        payload: dict[str, Any],
        planned: dict[str, Any] | None = None,
        smoked: tuple[dict[str, Any], int] = (smoke("passed"), 0),
        **environment: str,
    ) -> act.Ran:
        (tmp_path / "plan.json").write_text(json.dumps(planned or plan()))
        (tmp_path / "smoke.json").write_text(json.dumps(smoked[0]))
        stubs = {
            "STUB_PLAN": str(tmp_path / "plan.json"),
            "STUB_REAL": str(Path(sysconfig.get_path("scripts"), "torchrl-smoke")),
            "STUB_SMOKE": str(tmp_path / "smoke.json"),
            "STUB_SMOKE_STATUS": str(smoked[1]),
        }
        runner = act.Runner(tmp_path / "act", interpreter, toolkit)
        return runner.run(checkout.folder, ".github/workflows/preflight.yml", event, payload, {**stubs, **environment})

    return run
