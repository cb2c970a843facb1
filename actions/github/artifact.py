"""The files that the stages of a run hand on, read as what they are: written by whoever opened the pull request.

Nothing is unpacked to a disk; only files of known names are read, each to a limit, and only as JSON.
"""

from __future__ import annotations

import io
import json
import os
import re
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from torchrl_preflight.hooks.report import printable

from .client import GitHub

NAMES = re.compile(r"(lint|labels|plan|run|smoke-[a-z0-9-]{1,60})\.json")
"""The files that are read."""

ARTIFACTS, ZIP, FILE, TOTAL, FILES = 20, 10 << 20, 25 << 20, 50 << 20, 256
"""Artifacts of a run, bytes of a zip, of a file and of all files together, and files, that are looked at."""


class Read(NamedTuple):
    """What was found.

    Args:
        files: name -> what its JSON holds, not yet looked at.
        refused: one line for each thing that was not taken, and why.
    """

    files: dict[str, Any]
    refused: list[str]


def of_run(github: GitHub, run: int) -> Read:
    """The files in the artifacts of a run.

    Raises:
        Failure: GitHub does not give them.
    """
    found = github.call(
        "list the run's artifacts", "actions.list_workflow_run_artifacts", run_id=run, per_page=100
    ).artifacts
    ours = [item for item in found if item.name.startswith("preflight-")]
    read = _Reader()
    for item in ours[:ARTIFACTS]:
        if item.expired:
            read.refuse(item.name, "it has expired")
        elif item.size_in_bytes > ZIP:
            read.refuse(item.name, f"{item.size_in_bytes} bytes are more than {ZIP}")
        else:
            doing = f"download the artifact {printable(item.name)}"
            data = github.call(doing, "actions.download_artifact", artifact_id=item.id, archive_format="zip")
            for name, content in _members(item.name, data, read):
                read.take(name, content)
    for item in ours[ARTIFACTS:]:
        read.refuse(item.name, f"there are more than {ARTIFACTS} artifacts")
    return Read(read.files, read.refused)


def of_folder(folder: Path) -> Read:
    """The files that earlier jobs left in a folder; empty where there is none."""
    read = _Reader()
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return Read({}, [])
    for name in names:
        if NAMES.fullmatch(name):
            try:
                # Neither a link nor a pipe, and no time between looking and opening.
                descriptor = os.open(
                    folder / name, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
                )
                with os.fdopen(descriptor, "rb") as stream:
                    regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
                    data = stream.read(FILE + 1) if regular else None
            except OSError:
                data = None
            if data is None:
                read.refuse(name, "it is no regular file")
            else:
                read.take(name, data)
    return Read(read.files, read.refused)


class _Reader:
    def __init__(self) -> None:
        self.files: dict[str, Any] = {}
        self.refused: list[str] = []
        self.left = TOTAL

    def refuse(self, name: str, why: str) -> None:
        if len(self.refused) < FILES:
            self.refused.append(f"{printable(name[:100])} is not read: {why}")

    def take(self, name: str, data: bytes) -> None:
        if name in self.files:
            self.refuse(name, "there are two of this name")
        elif len(self.files) >= FILES:
            self.refuse(name, f"there are more than {FILES} files")
        elif len(data) > (most := min(FILE, self.left)):
            self.refuse(name, f"it is larger than {most} bytes")
            self.left -= most
        else:
            self.left -= len(data)
            try:
                self.files[name] = json.loads(data.decode(), parse_constant=_no_number)
            except (ValueError, RecursionError) as error:
                self.refuse(name, f"it is no JSON ({type(error).__name__})")


def _members(artifact: str, data: Any, read: _Reader) -> Iterator[tuple[str, bytes]]:
    """(name, content) of the files of a zip that are looked at; a zip that plays tricks gives none at all."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if trick := _trick(members):
                read.refuse(artifact, trick)
                return
            for member in members:
                if NAMES.fullmatch(member.filename):
                    with archive.open(member) as stream:
                        # The size that a member gives itself may be a lie.
                        yield member.filename, stream.read(min(FILE, read.left) + 1)
    except Exception as error:  # made to confuse a reader, and each decompressor has errors of its own
        read.refuse(artifact, f"it is no zip file that can be read ({type(error).__name__})")


def _trick(members: list[zipfile.ZipInfo]) -> str:
    """Why a zip is not to be trusted; "" where nothing speaks against it."""
    if len(members) > FILES:
        return f"there are more than {FILES} files in it"
    names = [member.filename for member in members]
    if len(set(names)) < len(names):
        return "two of its files have the same name"
    for member in members:
        parts = re.split(r"[/\\]", member.orig_filename)
        if ".." in parts or parts[0] == "" or ":" in parts[0] or "\0" in member.orig_filename:
            return "a name in it leads out of its folder"
        if stat.S_ISLNK(member.external_attr >> 16):
            return "there is a link in it"
    return ""


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
