"""The child process that imports torch and runs checks: what it says, and how it died if it did.

The child tells of its doings in a file, a JSON object a line, so that a crash, a hang or worker processes that outlive it
cost at most the check that it was at.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STARTUP = 300.0  # seconds in which a child that is at no check must say something: imports from a cold disk
GRACE = 10.0  # seconds on top of a check's own limit, after which a child that did not end itself is ended
POLL = 0.05
# Other people's pytest plugins and options; asserts that are left out pass, and warnings as errors fail.
_CHANGING = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHONOPTIMIZE", "PYTHONWARNINGS")


def converse(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Run one child and yield what it says; the last word is ``{"died": reason}`` if it ended otherwise than planned.

    Whatever the child left behind, worker processes and temporary files, is gone when the iterator is closed.
    """
    with tempfile.TemporaryDirectory(prefix="torchrl-smoke-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
        (folder / "events").touch()
        with (folder / "log").open("wb") as log:
            child = subprocess.Popen(
                [sys.executable, "-m", f"{__package__}.child", name],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # pytest's report, which is not ours
                stderr=log,
                env=_environment(name),
                start_new_session=True,
            )
        try:
            yield from _follow(child, folder)
        finally:
            _end(child)


def _environment(folder: str) -> dict[str, str]:
    """The user's environment without what would change a check's outcome; temporary files go to ``folder``."""
    kept = {key: value for key, value in os.environ.items() if key not in _CHANGING}
    return kept | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "TMPDIR": folder}


def _follow(child: subprocess.Popen[bytes], folder: Path) -> Iterator[dict[str, Any]]:
    rest, limit, ended, overdue = b"", STARTUP, False, False
    deadline = time.monotonic() + limit
    with (folder / "events").open("rb") as events:
        while True:
            running = child.poll() is None  # asked first: whatever it said before it ended is read below
            *lines, rest = (rest + events.read()).split(b"\n")
            for line in lines:
                event = json.loads(line)
                ended = ended or "end" in event
                limit = event.get("limit", STARTUP)
                deadline = time.monotonic() + limit + GRACE
                yield event
            if not running:
                break
            if time.monotonic() > deadline:
                overdue = True
                child.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(POLL)
    if child.returncode or not ended:
        log = (folder / "log").read_text(encoding="utf-8", errors="replace")
        yield {"died": _obituary(child.returncode, log, limit, overdue)}


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the child and every process that it started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    elif child.poll() is None:
        child.kill()
    child.wait()


def _obituary(status: int, log: str, limit: float, overdue: bool) -> str:
    """Why a child ended, in one line, from its exit status and its log."""
    if overdue:
        return f"did not end within {limit:g} s, nor {GRACE:g} s later when it should have ended itself"
    place = _place(log)
    if "Timeout (" in log:
        return f"did not end within {limit:g} s{place}"
    if status == -9:
        return "its process was ended by SIGKILL, as the kernel does when memory runs out"
    if status < 0:
        return f"its process was ended by {signal.Signals(-status).name}{place}"
    last = next((line.strip() for line in reversed(log.splitlines()) if line.strip()), "")
    words = f"; its last words: {last[:300]}" if last else ""
    return f"its process ended itself with status {status}{words}"


def _place(log: str) -> str:
    """Where the process was, from the stacks that faulthandler wrote: the thread at fault, or else the main one."""
    stacks = re.split(r"(?m)^(?=(?:Current thread|Thread) 0x)", log)[1:]
    stack = next((one for one in stacks if one.startswith("Current")), stacks[-1] if stacks else "")
    frame = re.search(r'File "(?P<file>.+)", line (?P<line>\d+) in (?P<name>.+)', stack)
    return f", in {frame['name']} ({frame['file']}:{frame['line']})" if frame else ""
