"""How a step speaks to GitHub's runner: annotations, outputs, the summary. Without a runner it only prints."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

from torchrl_preflight.hooks.report import printable
from torchrl_preflight.hooks.report.github import workflow_command

SUMMARY_BYTES = 1_000_000
"""A little less than the 1 MiB beyond which GitHub shows no summary of a step at all."""


def annotate(kind: str, message: str, path: str = "", line: int | None = None) -> None:
    """Prints one annotation.

    Args:
        kind: "error", "warning" or "notice".
        message: any text; it cannot become another command.
        path: file that it is about, relative to the repository.
        line: in that file, from 1.
    """
    place = {"file": path, "line": line, "title": "torchrl-preflight"}
    known = {key: value for key, value in place.items() if value}
    print(workflow_command(kind, printable(message), known), flush=True)


def output(name: str, value: str) -> None:
    """Sets an output of the step; its readers must pass it on through ``env`` all the same."""
    # What a file is called must not end the value and begin another output.
    end = secrets.token_hex(16)
    _append("GITHUB_OUTPUT", f"{name}<<{end}\n{value}\n{end}\n")


def summarize(markdown: str) -> None:
    """Adds to the summary of the run; what GitHub would not show is cut at the end of a line, and said to be."""
    data = markdown.encode("utf-8", "replace")
    if len(data) > SUMMARY_BYTES:
        kept = data[: data.rfind(b"\n", 0, SUMMARY_BYTES)].decode("utf-8", "replace")
        fence = "\n```" if kept.count("\n```") % 2 else ""
        markdown = f"{kept}{fence}\n\nMore than GitHub shows here; all of it is in this run's artifacts.\n"
    _append("GITHUB_STEP_SUMMARY", markdown + "\n")


def command(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs one of this project's own commands, from the path, or else from beside this interpreter."""
    found = shutil.which(program) or shutil.which(program, path=os.path.dirname(sys.executable)) or program
    return subprocess.run([found, *arguments], capture_output=True, encoding="utf-8", errors="replace", check=False)


def folder() -> Path:
    """Where the files lie that the stages hand on, made if it is not there."""
    found = Path(os.environ.get("PREFLIGHT_FOLDER") or "preflight")
    found.mkdir(parents=True, exist_ok=True)
    return found


def _append(variable: str, text: str) -> None:
    path = os.environ.get(variable, "")
    # In a container the runner's variable may be there without its file.
    if os.path.isfile(path):
        sys.stdout.flush()
        with open(path, "a", encoding="utf-8", errors="replace", newline="\n") as stream:
            stream.write(text)
