"""A small GitHub, and clients of it that do not really wait."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from torchrl_preflight.actions.github import job as jobs
from torchrl_preflight.actions.github.client import GitHub

from .fake import Fake


@pytest.fixture(scope="session")
def _server() -> Iterator[Fake]:
    with Fake() as server:
        yield server


@pytest.fixture(scope="session")
def _waits() -> list[float]:
    return []


@pytest.fixture(scope="session")
def _client(_server: Fake, _waits: list[float]) -> GitHub:
    # Building one takes a second.
    return GitHub(_server.repository, "token", _server.url, sleep=_waits.append)


@pytest.fixture
def fake(_server: Fake) -> Iterator[Fake]:
    """A GitHub with one open pull request, number 7, from a fork."""
    _server.forget()
    _server.open_pull()
    yield _server
    _server.check()


@pytest.fixture
def waited(_waits: list[float]) -> list[float]:
    """The seconds that the client of `github` waited, one after the other."""
    _waits.clear()
    return _waits


@pytest.fixture
def github(fake: Fake, waited: list[float], _client: GitHub) -> GitHub:
    """A client with the token of GitHub Actions."""
    return _client


class Done(NamedTuple):
    """What a job's step came to."""

    status: int
    out: str
    err: str
    outputs: dict[str, str]
    summary: str

    @property
    def warnings(self) -> list[str]:
        """The texts of the warnings that GitHub shows."""
        return re.findall(r"^::warning[^:]*::(.*)$", self.out, re.MULTILINE)

    @property
    def added(self) -> list[str]:
        """The output ``labels-added``."""
        return json.loads(self.outputs["labels-added"])


Job = Callable[..., Done]


@pytest.fixture
def job(
    fake: Fake, github: GitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Job:
    """``job(main, event, payload, files, **environment)``: an entry point as GitHub's runner starts it."""
    # Building a client takes a second; it is the same one.
    monkeypatch.setattr(jobs, "GitHub", lambda repository, token, url: github)
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "PREFLIGHT_", "GHAPI"))]:
        monkeypatch.delenv(name)

    def run(
        main: Callable[[], int],
        event: str,
        payload: Any,
        files: Mapping[str, Any] | None = None,
        **more: str,
    ) -> Done:
        home = Path(tempfile.mkdtemp(dir=tmp_path))
        (home / "event.json").write_text(json.dumps(payload))
        folder = home / "preflight"
        folder.mkdir()
        for name, content in (files or {}).items():
            (folder / name).write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        for name in ("output", "summary"):
            (home / name).touch()
        environment = {
            "GITHUB_API_URL": fake.url,
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(home / "event.json"),
            "GITHUB_OUTPUT": str(home / "output"),
            "GITHUB_REPOSITORY": fake.repository,
            "GITHUB_RUN_ID": "100",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_STEP_SUMMARY": str(home / "summary"),
            "GITHUB_TOKEN": "token",
            "PREFLIGHT_FOLDER": str(folder),
            **more,
        }
        capsys.readouterr()
        with monkeypatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            status = main()
        written = {name: (home / name).read_text() for name in ("output", "summary")}
        outputs = {
            name: value for name, _, value in re.findall(r"^(\S+)<<(\w+)\n(.*)\n\2$", written["output"], re.MULTILINE)
        }
        return Done(status, *capsys.readouterr(), outputs, written["summary"])

    return run
