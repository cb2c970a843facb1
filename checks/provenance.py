"""Where the torchrl that is imported comes from: a released wheel, or a checkout at some commit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from torchrl_preflight.hooks.git import Git, GitError

from . import installed


class Checkout(NamedTuple):
    """A git checkout.

    Args:
        commit: its id.
        tags: that point at it.
        dirty: tracked files that differ from it.
        version: what its ``version.txt`` says.
    """

    folder: Path
    commit: str
    tags: tuple[str, ...]
    dirty: tuple[str, ...]
    version: str

    def __str__(self) -> str:
        tags = f" ({', '.join(self.tags)})" if self.tags else ""
        differ = f"{len(self.dirty)} files differ from it ({', '.join(self.dirty[:3])})" if self.dirty else "clean"
        return f"checkout {self.folder} at {self.commit[:12]}{tags}, {differ}, version.txt {self.version or 'missing'}"


def checkout() -> Checkout | None:
    """The checkout from which torchrl is imported; None where it is no checkout, or git cannot read it."""
    it = installed.package("torchrl")
    if not it.folder or not it.source_tree:
        return None
    try:
        git = Git(str(it.folder.parent))
    except GitError:
        return None
    try:
        commit = git.text("rev-parse", "HEAD")
        tags = tuple(git.text("tag", "--points-at", "HEAD").split())
        dirty = tuple(
            line[3:] for line in git.run("status", "--porcelain", "-uno").decode(errors="replace").splitlines()
        )
    except GitError:
        return None
    finally:
        git.close()
    file = it.folder.parent / "version.txt"
    return Checkout(it.folder.parent, commit, tags, dirty, file.read_text().strip() if file.is_file() else "")


def origin() -> str:
    """Where an installed copy was installed from, as far as pip has noted it."""
    distribution = installed.package("torchrl").distribution
    noted = json.loads((distribution and distribution.read_text("direct_url.json")) or "{}")
    commit = noted.get("vcs_info", {}).get("commit_id", "")
    return f"{noted.get('url', '')}{f' at {commit[:12]}' if commit else ''}"
