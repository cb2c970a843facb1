"""Real repositories that look like a tiny pytorch/rl, and ``torchrl-lint`` run on them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from torchrl_preflight.hooks.cli import main

BASE_TREE = Path(__file__).parent / "rules" / "_base"

_HEAD = "from __future__ import annotations\n\nimport pytest\nimport torch\n"
_BAD = '\n\n@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")\ndef {}():\n    assert True\n'
_GOOD = "\n\ndef {}():\n    assert True\n"


class Outcome(NamedTuple):
    """What one run of ``torchrl-lint`` gave."""

    status: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        """The report of a run with ``--format json``."""
        return json.loads(self.out)

    @property
    def found(self) -> list[tuple[str, int | None, str]]:
        """(path, line, rule) of each finding of a run with ``--format json``."""
        return [(item["path"], item["line"], item["rule"]) for item in self.report["findings"]]

    @property
    def symbols(self) -> list[str]:
        """Symbol of each finding of a run with ``--format json``."""
        return [item["symbol"] for item in self.report["findings"]]


class Repo:
    """A git repository with a working tree."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def git(self, *arguments: str | os.PathLike[str], check: bool = True, **environment: str) -> str:
        """Standard output of a git command, without the last newline."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, capture_output=True, env={**os.environ, **environment}, check=False
        )
        if check and done.returncode:
            raise AssertionError(f"git {arguments}: {done.stderr.decode(errors='replace')}")
        return os.fsdecode(done.stdout).rstrip("\n")

    def write(self, path: str | bytes, content: str | bytes) -> Path:
        """Writes a file as it is given, newlines untouched."""
        target = self.path / os.fsdecode(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        return target

    def commit(self, message: str = "change", files: dict[str, str | bytes | None] | None = None) -> str:
        """Writes files (None deletes one), commits all that differs and gives the commit's id."""
        for path, content in (files or {}).items():
            if content is None:
                (self.path / path).unlink()
            else:
                self.write(path, content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.head

    @property
    def head(self) -> str:
        """Id of the commit checked out."""
        return self.git("rev-parse", "HEAD")


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the user's configuration nor a CI job around the tests reaches them."""
    for name in list(os.environ):
        if name.startswith(("GIT_", "GITHUB_", "PRE_COMMIT", "TORCHRL_")) or name in ("CI", "NO_COLOR"):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    config = home / "gitconfig"
    config.write_text(
        "[init]\n\tdefaultBranch = main\n[user]\n\tname = A. Tester\n\temail = a@example.org\n"
        '[protocol "file"]\n\tallow = always\n[core]\n\tfsync = none\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n'
        "[advice]\n\tdetachedHead = false\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))


@pytest.fixture(scope="session")
def tests() -> Callable[..., str]:
    """``tests("test_a", good=["test_b"])``: a test file; the first ones need the gpu marker and have none."""

    def text(*bad: str, good: Sequence[str] = ()) -> str:
        return _HEAD + "".join(map(_GOOD.format, good)) + "".join(map(_BAD.format, bad))

    return text


@pytest.fixture
def lint(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """``lint(repo, *arguments)``: the command in this process, started in a repository or folder."""

    def run(where: Repo | Path, *arguments: str) -> Outcome:
        capsys.readouterr()
        with monkeypatch.context() as patch:
            patch.chdir(where.path if isinstance(where, Repo) else where)
            try:
                status = main(arguments)
            except SystemExit as stop:
                status = stop.code
        return Outcome(status, *capsys.readouterr())

    return run


@pytest.fixture
def judge(lint: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """``lint`` with ``--format json`` and a few rules that the tests of the engine plant faults for."""
    few = "gpu-marker-missing,syntax-error,suppression-invalid,suppression-unused"

    def run(where: Repo | Path, *arguments: str) -> Outcome:
        chosen = () if "--select" in arguments else ("--select", few)
        return lint(where, "--format", "json", *chosen, *arguments)

    return run


@pytest.fixture
def command() -> Callable[..., Outcome]:
    """``command(repo, *arguments, **environment)``: the installed command in a process of its own."""

    def run(where: Repo | Path, *arguments: str, stdin: bytes = b"", **environment: str) -> Outcome:
        done = subprocess.run(
            [Path(sys.executable).with_name("torchrl-lint"), *arguments],
            input=stdin,
            capture_output=True,
            cwd=where.path if isinstance(where, Repo) else where,
            env={**os.environ, **environment},
        )
        return Outcome(done.returncode, os.fsdecode(done.stdout), os.fsdecode(done.stderr))

    return run


@pytest.fixture
def empty_repo(tmp_path: Path) -> Callable[..., Repo]:
    """``empty_repo(name, *options)``: a new repository without a commit."""

    def make(name: str = "empty", *options: str) -> Repo:
        repo = Repo(tmp_path / name)
        repo.path.mkdir()
        repo.git("init", "--quiet", *options)
        return repo

    return make


@pytest.fixture(scope="session")
def _template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the base tree in one commit on main, to be copied."""
    repo = Repo(tmp_path_factory.mktemp("template") / "rl")
    shutil.copytree(BASE_TREE, repo.path)
    who = {
        f"GIT_{role}_{key}": value
        for role in ("AUTHOR", "COMMITTER")
        for key, value in (("NAME", "A. Tester"), ("EMAIL", "a@example.org"), ("DATE", "2026-01-01T00:00:00Z"))
    }
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **who}
    repo.git("init", "--quiet", "--initial-branch=main", **alone)
    repo.git("add", "--all", **alone)
    repo.git("commit", "--quiet", "-m", "base", **alone)
    return repo.path


@pytest.fixture
def repo(_template: Path, tmp_path: Path) -> Repo:
    """A repository with the base tree in one commit on main."""
    shutil.copytree(_template, tmp_path / "rl", symlinks=True)
    copy = Repo(tmp_path / "rl")
    copy.git("update-index", "--refresh", "-q")
    return copy


@pytest.fixture
def clone(tmp_path: Path) -> Callable[..., Repo]:
    """``clone(repo, name, *options)``: a clone through the file protocol, as from a server."""

    def make(source: Repo, name: str = "clone", *options: str) -> Repo:
        target = Repo(tmp_path / name)
        Repo(tmp_path).git("clone", "--quiet", *options, f"file://{source.path}", str(target.path))
        return target

    return make
