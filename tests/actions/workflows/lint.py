"""The tools that read workflows without running them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .act import ROOT, STUBS, TOOLKIT

SCRIPTS = sysconfig.get_path("scripts")
TOOLS = {  # each with the files that it reads: workflows, actions
    "jactionlint": (("jactionlint", "--no-online"), True, True),
    # It takes an action.yml for a workflow. It wants `cache-mode`, which GitHub's own parser does not take; what is called
    # saves nothing.
    "actionlint": (("actionlint", "-ignore", "no explicit cache access limit"), True, False),
    "zizmor": (("zizmor", "--offline", "--persona=auditor", "--no-progress", "--quiet"), True, True),
    "shapes of workflows": (("check-jsonschema", "--builtin-schema=vendor.github-workflows"), True, False),
    "shapes of actions": (("check-jsonschema", "--builtin-schema=vendor.github-actions"), False, True),
}


def linted(
    tool: str, folder: Path, workflows: Sequence[str], actions: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """One of `TOOLS` over files of a folder, whose ``.github`` has their configuration."""
    (program, *arguments), reads_workflows, reads_actions = TOOLS[tool]
    files = [*(workflows if reads_workflows else ()), *(actions if reads_actions else ())]
    command = [shutil.which(program, path=SCRIPTS), *arguments, *files]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=_environment())


class Parser:
    """GitHub's own parser of workflows, as its editor extension has it.

    Args:
        folder: an empty one, where npm installs it and holds it against the hashes of the lock file.
    """

    def __init__(self, folder: Path) -> None:
        self.home = shutil.copytree(Path(__file__).with_name("parser"), folder / "parser")
        npm = [shutil.which("npm", path=SCRIPTS), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        subprocess.run(npm, cwd=self.home, env=_environment(), capture_output=True, check=True)

    def __call__(self, folder: Path, *paths: str) -> str:
        """What it says of files of a folder, one line each."""
        others = json.dumps({TOOLKIT: str(ROOT), "pytorch/test-infra": str(STUBS / "test-infra")})
        node = [shutil.which("node", path=SCRIPTS), "validate.mjs", folder, others, *paths]
        return subprocess.run(node, cwd=self.home, capture_output=True, text=True, check=True).stdout

    def evaluate(self, *asked: tuple[str, dict[str, Any]]) -> list[Any]:
        """The values of (text with expressions, contexts), by GitHub's own evaluator."""
        node = [shutil.which("node", path=SCRIPTS), "evaluate.mjs", json.dumps(asked)]
        return json.loads(subprocess.run(node, cwd=self.home, capture_output=True, text=True, check=True).stdout)


def _environment() -> dict[str, str]:
    # Both actionlints run the shellcheck that they find on the path.
    return {**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
