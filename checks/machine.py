"""What of this machine torchrl stands on: shared memory, worker processes, OpenGL. Imports the standard library alone."""

from __future__ import annotations

import ctypes
import ctypes.util
import multiprocessing
import os
import sys
from pathlib import Path

ROOM = 128  # MB of shared memory below which workers with pixels soon stop
PATIENCE = 60.0  # seconds that a process which does nothing may take

_LIBRARIES = ("EGL", "OSMesa")


def start_methods() -> dict[str, str]:
    """Each way to start a process that this platform has -> "" where it works, or what went wrong."""
    return {method: _started(method) for method in multiprocessing.get_all_start_methods()}


def _started(method: str) -> str:
    process = multiprocessing.get_context(method).Process(target=nothing, daemon=True)
    try:
        process.start()
    except (OSError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    process.join(PATIENCE)
    if process.is_alive():
        process.kill()
        return f"did not end within {PATIENCE:g} s"
    return "" if process.exitcode == 0 else f"ended with status {process.exitcode}"


def nothing() -> None:
    """What the processes are started for."""


def shared_memory(folder: str = "/dev/shm") -> int | None:
    """MB that are free in shared memory; None where the platform has no such folder."""
    if not Path(folder).is_dir():
        return None
    free = os.statvfs(folder)
    return free.f_bavail * free.f_frsize // 2**20


def opengl() -> tuple[list[str], list[str]]:
    """What there is to render with, and what was looked for in vain: a display, libraries that need none."""
    if sys.platform in ("darwin", "win32"):
        return ["the system's own OpenGL"], []
    found = [f"the display {os.environ[name]}" for name in ("DISPLAY", "WAYLAND_DISPLAY") if os.environ.get(name)]
    missing = []
    for name in _LIBRARIES:
        library = ctypes.util.find_library(name)
        if library and _loads(library):
            found.append(f"{name} ({library})")
        else:
            missing.append(name)
    return found, missing


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
