"""Installs this toolkit from the folder that it was checked out to, at the commit that the workflow names, and torch before it.

Run by its path before anything is installed, so it imports only what Python brings. Environment: ``PREFLIGHT_EXTRAS`` of the
toolkit, with commas between them; ``PREFLIGHT_TORCH`` stable, nightly, oldest, an exact version, or nothing to leave torch
alone; ``PREFLIGHT_TORCH_INDEX`` where it comes from; ``PREFLIGHT_DEVICE`` cpu or cuda, for which build; ``PREFLIGHT_TORCHRL`` a
checkout of torchrl to build and install, or nothing.

Outputs: ``version`` of the toolkit, ``cache-folder`` and ``cache-key`` of its store of facts.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

try:
    import tomllib
except ModuleNotFoundError:
    from pip._vendor import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
_EXTRAS = ("smoke", "github")
# What pytorch/rl's own jobs install from.
_WHEELS = "https://download.pytorch.org/whl"
_INDEXES = {
    ("stable", "cpu"): "cpu",
    ("oldest", "cpu"): "cpu",
    ("nightly", "cpu"): "nightly/cpu",
    ("nightly", "cuda"): "nightly/cu130",
}
_TENSORDICT = "git+https://github.com/pytorch/tensordict.git"


class Refusal(Exception):
    """What was asked for makes no sense; the message is one line."""


def main(environment: Mapping[str, str] = os.environ) -> int:
    """Returns 0 when all is installed, 2 for wrong usage, else pip's own status."""
    try:
        calls = list(planned(environment))
    except Refusal as error:
        words = " ".join(str(error).split()).replace("%", "%25")
        print(f"::error title=torchrl-preflight::{words}")
        return 2
    for arguments in calls:
        print("+ pip install", *arguments, flush=True)
        # Isolated: the current folder is the change's, and what lies there must not be taken for pip.
        pip = [sys.executable, "-I", "-m", "pip", "install", "--disable-pip-version-check", "--quiet", *arguments]
        status = subprocess.run(pip, check=False).returncode
        if status:
            return status
    where = "from torchrl_preflight.hooks.facts.store import default_path; print(default_path().parent)"
    found = subprocess.run([sys.executable, "-I", "-c", where], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    for name, value in (("version", version()), ("cache-folder", found.stdout.strip()), ("cache-key", cache_key())):
        _output(name, value)
    return 0


def planned(environment: Mapping[str, str]) -> Iterator[list[str]]:
    """Arguments of ``pip install``, call after call: torch, what torchrl is built with, torchrl, the toolkit.

    Raises:
        Refusal: an input has a value that it cannot have.
    """
    extras = _named(environment.get("PREFLIGHT_EXTRAS", ""))
    if wrong := sorted(set(extras) - set(_EXTRAS)):
        raise Refusal(f"extras: {wrong[0]!r} is unknown; allowed: {', '.join(_EXTRAS)}")
    checkout, choice = environment.get("PREFLIGHT_TORCHRL", ""), environment.get("PREFLIGHT_TORCH", "")
    project = _project(Path(checkout)) if checkout else {}
    if choice:
        yield _torch(choice, environment, project)
    if checkout:
        # Not in an environment of pip's own: that would bring another torch to build the C++ extension against.
        needed = [item for item in project["build-system"]["requires"] if not re.match(r"torch\b", item)]
        if needed:
            yield needed
        if choice == "nightly":
            # The released one has its own C++ extension, built against a released torch.
            yield ["--no-build-isolation", "--no-deps", _TENSORDICT]
        yield ["--no-build-isolation", str(Path(checkout).resolve())]
    yield [f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)]


def _torch(choice: str, environment: Mapping[str, str], project: Mapping[str, Any]) -> list[str]:
    device = environment.get("PREFLIGHT_DEVICE") or "cpu"
    if device not in ("cpu", "cuda"):
        raise Refusal(f"device is {device!r}; allowed: cpu, cuda")
    if choice == "oldest":
        declared = [
            re.match(r"torch\s*>=\s*(\d+\.\d+)", item) for item in project.get("project", {}).get("dependencies", ())
        ]
        floor = next((found[1] for found in declared if found), None)
        if floor is None:
            raise Refusal(
                "torch is 'oldest', and the checkout's pyproject.toml has no dependency torch>=X.Y that says which"
            )
        what = [f"torch=={floor}.*"]
    elif choice in ("stable", "nightly"):
        what = ["--pre", "torch"] if choice == "nightly" else ["torch"]
    elif re.fullmatch(r"\d+\.\d+(\.\d+)?((a|b|rc)\d+)?(\.dev\d+)?(\+[a-z0-9.]+)?", choice):
        what = [f"torch=={choice}"]
    else:
        raise Refusal(f"torch is {choice!r}; allowed: stable, nightly, oldest, or an exact version")
    known = _INDEXES.get((choice if choice in ("nightly", "oldest") else "stable", device), "")
    index = environment.get("PREFLIGHT_TORCH_INDEX") or (f"{_WHEELS}/{known}" if known else "")
    if index and not re.fullmatch(r"https?://[^\s]+", index):
        raise Refusal(f"torch-index is {index!r}; it must be an https address")
    return [*what, *(["--index-url", index] if index else [])]


def _project(checkout: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))
        if all(isinstance(item, str) for item in found["build-system"]["requires"]):
            return found
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Refusal(f"torchrl: {checkout} is no checkout that can be built ({type(error).__name__})") from error
    raise Refusal(f"torchrl: build-system.requires in {checkout} must be a list of strings")


def version() -> str:
    """The version that pyproject.toml gives."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def cache_key() -> str:
    """What facts depend on: system, Python, this tool's version and, between releases, its code."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "hooks").rglob("*.py")):
        digest.update(path.read_bytes())
    python = f"{sys.implementation.name}-{platform.python_version()}"
    return f"torchrl-preflight-{platform.system()}-{python}-{version()}-{digest.hexdigest()[:16]}"


def _named(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _output(name: str, value: str) -> None:
    path = os.environ.get("GITHUB_OUTPUT", "")
    if os.path.isfile(path):
        end = secrets.token_hex(16)
        with open(path, "a", encoding="utf-8", newline="\n") as stream:
            stream.write(f"{name}<<{end}\n{value}\n{end}\n")


if __name__ == "__main__":
    sys.exit(main())
