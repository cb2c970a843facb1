"""A tree of files: path -> git blob id, and a blob's bytes.

Four makers, one kind of thing: the working tree, the index alone, any git ref without a checkout,
and a plain folder. Symbolic links and submodules are not followed, so a tree has no loops.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from .git import Git, GitError

_REGULAR = (b"100644", b"100755", b"100664")

_LARGE = 8_000_000
"""Bytes of a file that nobody reads as source: a checkpoint or a data set that git does not track."""


_KEPT = 32 * 1024 * 1024
"""Bytes that are kept for the next who asks: twice the sources of pytorch/rl, of which each is read three times."""


class Tree:
    """Regular files by path.

    Args:
        label: how reports name the tree.
        blobs: path -> blob id, None where the id must be computed from the file on disk.
        git: the repository that holds the blobs; None for a plain folder.
        folder: where the files lie and may be edited; None for a ref and the index.
    """

    def __init__(self, label: str, blobs: dict[str, str | None], git: Git | None, folder: Path | None) -> None:
        self.label = label
        self.blobs = blobs
        self.git = git
        self.folder = folder
        self._computed: dict[str, str] = {}
        self._listed: dict[tuple[str, str], list[str]] = {}
        self._kept: dict[str, bytes] = {}
        self._room = _KEPT
        self.unreadable: dict[str, str] = {}
        """path -> why its content could not be had; a report says so."""

    def __contains__(self, path: str) -> bool:
        return path in self.blobs

    def blob(self, path: str) -> str | None:
        """Blob id of a path's content, or None where it cannot be had."""
        known = self.blobs.get(path) or self._computed.get(path)
        if known is None and (data := self.read(path)) is not None:
            known = self._computed[path] = blob_id(data, self._hash())
        return known

    def read(self, path: str) -> bytes | None:
        """Bytes of a path, or None where there is no such file or it is absent (``unreadable`` says why)."""
        if path not in self.blobs:
            return None
        known = self.blobs[path]
        if known is None or self.git is None:
            try:
                return (self.folder / path).read_bytes()
            except OSError as error:
                self.unreadable[path] = error.strerror or "unreadable"
                return None
        if path in self._kept:
            return self._kept[path]
        data = self._as_on_disk(path, known)
        data = self.git.blob(known) if data is None else data
        if data is None:
            self.unreadable[path] = "absent from this partial clone"
        elif len(data) <= self._room:
            self._kept[path] = data
            self._room -= len(data)
        return data

    def _as_on_disk(self, path: str, blob: str) -> bytes | None:
        """The file's bytes if they are the blob's, which costs a fraction of asking git; line ends may differ."""
        try:
            data = (self.folder / path).read_bytes() if self.folder is not None else None
        except OSError:
            return None
        return data if data is not None and blob_id(data, self._hash()) == blob else None

    def paths(self, under: str = "", suffix: str = "") -> list[str]:
        """Paths below a folder (no slash at its end) and with a suffix, sorted."""
        key = (under, suffix)
        if key not in self._listed:
            prefix = under.rstrip("/") + "/" if under else ""
            self._listed[key] = sorted(path for path in self.blobs if path.startswith(prefix) and path.endswith(suffix))
        return self._listed[key]

    def changed(self, base: Tree) -> set[str]:
        """Paths whose content differs between two trees, in either of them."""
        alone = self.blobs.keys() ^ base.blobs.keys()
        both = self.blobs.keys() & base.blobs.keys()
        return alone | {
            path for path in both if self.blobs[path] != base.blobs[path] and self.blob(path) != base.blob(path)
        }

    def stamp(self, path: str) -> str:
        """What changes when a path's content does: its blob id; size and time for a large file on disk."""
        if self.blobs[path] is None:
            try:
                state = (self.folder / path).stat()
            except OSError:
                return ""
            if state.st_size > _LARGE:
                return f"{state.st_size} {state.st_mtime_ns}"
        return self.blob(path) or ""

    def _hash(self) -> str:
        some = next((blob for blob in self.blobs.values() if blob), "")
        return "sha256" if len(some) == 64 else "sha1"


def blob_id(data: bytes, algorithm: str = "sha1") -> str:
    """The id that git gives to a blob with these bytes."""
    return hashlib.new(algorithm, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def working_tree(git: Git) -> Tree:
    """Index entries that still match the files, everything else from disk, and untracked files that are not ignored."""
    blobs = _index(git)
    for name in _names(git.run("ls-files", "-z", "--deleted")):
        blobs.pop(name, None)
    for name in _names(git.run("ls-files", "-z", "--modified", "--others", "--exclude-standard")):
        if _is_regular(git.root / name):
            blobs[name] = None
        else:
            blobs.pop(name, None)
    return Tree("working tree", blobs, git, git.root)


def index(git: Git) -> Tree:
    """What the next commit will hold, nothing else."""
    return Tree("index", _index(git), git, None)


def at_ref(git: Git, treeish: str) -> Tree:
    """The tree of a commit, tag or tree id, without a checkout.

    Raises:
        GitError: git does not know the ref.
    """
    try:
        listing = git.run("ls-tree", "-r", "-z", "--full-tree", "--end-of-options", f"{treeish}^{{tree}}")
    except GitError as error:
        raise GitError(f"{treeish}: no such commit or tree here; fetch it (git fetch origin {treeish})") from error
    blobs: dict[str, str | None] = {}
    for record in listing.split(b"\0"):
        if record[:6] in _REGULAR:
            meta, name = record.split(b"\t", 1)
            blobs[os.fsdecode(name)] = meta[12:].decode()
    return Tree(treeish, blobs, git, None)


def plain_folder(folder: str | os.PathLike[str], names: tuple[str, ...] = ()) -> Tree:
    """Files below a folder, for example the site-packages of an installed package.

    Args:
        names: only these entries of the folder; all when empty.
    """
    root = Path(folder)
    blobs: dict[str, str | None] = {}
    for top in names or ("",):
        for where, folders, files in os.walk(root / top):
            folders[:] = [name for name in folders if name not in (".git", "__pycache__")]
            for name in files:
                path = Path(where, name)
                if _is_regular(path):
                    blobs[path.relative_to(root).as_posix()] = None
    return Tree(os.fspath(folder), blobs, None, root)


def _index(git: Git) -> dict[str, str | None]:
    blobs: dict[str, str | None] = {}
    for record in git.run("ls-files", "-z", "--stage").split(b"\0"):
        if record[:6] in _REGULAR:
            meta, name = record.split(b"\t", 1)
            blobs[os.fsdecode(name)] = meta[7:-2].decode()
    return blobs


def _names(listing: bytes) -> list[str]:
    return [os.fsdecode(name) for name in listing.split(b"\0") if name]


def _is_regular(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
