"""Facts by blob id, kept in one file of the user's cache folder.

A cache can only save time. Whatever goes wrong with it (locked, damaged, read-only, full, written by
another version) costs a parse and changes no finding.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from .records import plain, revive

MAX_BYTES = 256 * 1024 * 1024
"""A store that grew beyond this starts anew; a whole tree of pytorch/rl takes a fortieth of it."""

_READERS = {
    "comments": "comments",
    "python": "module",
    "shell": "script",
    "workflow": "workflow",
    "labeler": "labels",
    "rst": "rst",
    "docstrings": "docstrings",
}
"""File of this folder -> its function; the record it returns has the capitalised name."""

_AT_ONCE = 500
"""Questions in one query; sqlite takes 999 in every version."""
_ERRORS = (OSError, ValueError, EOFError, TypeError, OverflowError)


class Store:
    """Facts, from memory, from the file, or from the bytes.

    Args:
        path: the file; None keeps facts in memory only.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._memory: dict[tuple[str, str], Any] = {}
        self._fresh: dict[tuple[str, str], bytes] = {}
        self.read = self.parsed = 0
        self._code = ""
        self._database = self._open() if path else None

    def facts(self, kind: str, blob: str, data: Callable[[], bytes | None]) -> Any | None:
        """Facts of a blob, or None where its bytes cannot be had.

        Args:
            kind: one of the keys of ``_READERS``.
            data: brings the bytes; called only when the store does not know the blob.
        """
        key = (kind, blob)
        if key in self._memory:
            return self._memory[key]
        row = self._fresh.get(key) or self._load(key)
        if row is not None:
            facts = self._memory[key] = revive(_reader(kind)[1], marshal.loads(row))
            return facts
        content = data()
        return None if content is None else self._extracted(key, content)

    def recall(self, kind: str, key: str) -> Any | None:
        """What ``keep`` was given for a key, or None."""
        row = self._load((kind, key))
        return None if row is None else marshal.loads(row)

    def keep(self, kind: str, key: str, value: Any) -> None:
        """Keeps plain values that follow from what the key stands for; anything else is not kept."""
        with contextlib.suppress(ValueError):
            self._fresh[kind, key] = marshal.dumps(value)

    def code(self) -> str:
        """A sum over this room's files: another version says other things.

        Reading them takes a twentieth of a hook's time, so the sum is kept for as long as no file looks different.
        """
        if not self._code:
            room = Path(__file__).parents[1]
            paths = sorted(_sources(str(room)))
            state = repr([(path, *_state(path)) for path in paths]) + sys.implementation.cache_tag
            key = hashlib.sha1(state.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()
            self._code = self.recall("code", key) or ""
            if not self._code:
                total = 0
                for path in paths:
                    total = zlib.crc32(Path(path).read_bytes(), total)
                self._code = f"{total:08x}-{sys.implementation.cache_tag}"
                self.keep("code", key, self._code)
        return self._code

    def prime(self, kinds: dict[str, tuple[str, ...]], data: dict[str, Callable[[], bytes | None]], jobs: int) -> None:
        """Reads what the store does not have, a file's facts of several kinds from one parse.

        Args:
            kinds: blob -> the kinds that will be asked for.
            data: blob -> what brings its bytes.
            jobs: processes; several pay off from some hundred files on, and one only for files of several kinds.
        """
        missing = self._missing(kinds)
        several = jobs > 1 and len(missing) >= 64
        contents = {
            blob: content
            for blob, of in missing.items()
            if (several or len(of) > 1) and (content := data[blob]()) is not None
        }
        if not several:
            for blob, content in contents.items():
                for kind in missing[blob]:
                    self._extracted((kind, blob), content)
            return
        # Largest first: the hundred largest files hold half of the bytes, and the last one is waited for.
        order = sorted(contents, key=lambda blob: -len(contents[blob]))
        work = [missing[blob] for blob in order], [contents[blob] for blob in order]
        # Without processes (a sandbox may forbid them) each file is parsed when it is asked for.
        with contextlib.suppress(OSError, ImportError, RuntimeError):
            from concurrent.futures import ProcessPoolExecutor

            with ProcessPoolExecutor(min(jobs, 8)) as pool:
                for blob, found in zip(order, pool.map(_extract_all, *work, chunksize=4)):
                    self._fresh.update({(kind, blob): row for kind, row in zip(missing[blob], found)})
                    self.parsed += len(found)

    def close(self) -> None:
        """Writes what is new, if the file can be written."""
        if self._database is not None:
            with self._surviving():
                version = _version()
                self._database.execute("BEGIN IMMEDIATE")
                self._database.executemany(
                    "INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?)",
                    [(version, *key, _sum(key, row), row) for key, row in self._fresh.items()],
                )
                self._database.execute("COMMIT")
            with contextlib.suppress(Exception):
                self._database.close()
            self._database = None
        self._fresh.clear()

    def _extracted(self, key: tuple[str, str], content: bytes) -> Any:
        facts = self._memory[key] = _reader(key[0])[0](content)
        self.parsed += 1
        if self._database is not None:
            self._fresh[key] = marshal.dumps(plain(facts))
        return facts

    def _missing(self, kinds: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
        """What is neither in memory nor in the file."""
        missing: dict[str, list[str]] = {}
        for kind in dict.fromkeys(kind for of in kinds.values() for kind in of):
            wanted = [blob for blob, of in kinds.items() if kind in of and (kind, blob) not in self._memory]
            known = self._known(kind, wanted) if self._database is not None else set()
            for blob in wanted:
                if blob not in known:
                    missing.setdefault(blob, []).append(kind)
        return missing

    def _known(self, kind: str, blobs: list[str]) -> set[str]:
        """Those of some blobs whose facts are there; asked for many at a time."""
        found: set[str] = set()
        for start in range(0, len(blobs), _AT_ONCE):
            part = blobs[start : start + _AT_ONCE]
            with self._surviving():
                marks = ", ".join("?" * len(part))
                query = f"SELECT blob FROM facts WHERE version = ? AND kind = ? AND blob IN ({marks})"
                found |= {blob for (blob,) in self._database.execute(query, (_version(), kind, *part))}
            if self._database is None:
                break
        return found

    def _load(self, key: tuple[str, str]) -> bytes | None:
        found = self._select("sum, row", key)
        # marshal trusts its input, so a row is read only if it is what was written for this key; damage can
        # also bring another key's row.
        if found and isinstance(found[1], bytes) and _sum(key, found[1]) == found[0]:
            self.read += 1
            return found[1]
        return None

    def _select(self, what: str, key: tuple[str, str]) -> tuple | None:
        if self._database is None:
            return None
        with self._surviving():
            return self._database.execute(
                f"SELECT {what} FROM facts WHERE version = ? AND kind = ? AND blob = ?", (_version(), *key)
            ).fetchone()
        return None

    def _open(self) -> Any:
        import sqlite3

        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if self._path.exists() and self._path.stat().st_size > MAX_BYTES:
                self._path.unlink()
            database = sqlite3.connect(self._path, timeout=1, isolation_level=None)
            database.execute("PRAGMA synchronous = OFF")
            database.execute(
                "CREATE TABLE IF NOT EXISTS facts (version TEXT, kind TEXT, blob TEXT, sum INTEGER, row BLOB, "
                "PRIMARY KEY (version, kind, blob)) WITHOUT ROWID"
            )
            return database
        except (sqlite3.Error, *_ERRORS) as error:
            self._drop(error)
            return None

    @contextlib.contextmanager
    def _surviving(self) -> Iterable[None]:
        import sqlite3

        try:
            yield
        except (sqlite3.Error, *_ERRORS) as error:
            database, self._database = self._database, None
            with contextlib.suppress(Exception):
                database.close()
            self._drop(error)

    def _drop(self, error: Exception) -> None:
        import sqlite3

        # Locked, full and read-only are passing states (OperationalError); anything else is damage.
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            with contextlib.suppress(OSError):
                self._path.unlink()


def extract(kind: str, data: bytes) -> bytes:
    """Facts of some bytes, as the store writes them."""
    return marshal.dumps(plain(_reader(kind)[0](data)))


def _extract_all(kinds: list[str], data: bytes) -> list[bytes]:
    return [extract(kind, data) for kind in kinds]


def default_path() -> Path:
    """Where the store lies: the platform's cache folder (platformdirs would cost a twentieth of a hook's time)."""
    if sys.platform == "win32":
        folder = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Caches"
    else:
        folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(folder, "torchrl-preflight", "facts.sqlite")


def _sources(folder: str) -> Iterator[str]:
    """Files whose content decides what is found, below a folder."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _sources(entry.path) if entry.name != "__pycache__" else ()
            elif entry.name.endswith((".py", ".txt")):
                yield entry.path


def _state(path: str) -> tuple[int, ...]:
    """What differs when a file was written again, as git looks at files."""
    found = os.stat(path)
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def _sum(key: tuple[str, str], row: bytes) -> int:
    return zlib.crc32(row, zlib.crc32(" ".join((_version(), *key)).encode()))


def _reader(kind: str) -> tuple[Callable[[bytes], Any], type]:
    home = import_module(f".{kind}", __package__)
    name = _READERS[kind]
    return getattr(home, name), getattr(home, name.capitalize())


def _version() -> str:
    global _known_version
    if not _known_version:
        total = 0
        for path in sorted(Path(__file__).parent.glob("*.py")):
            total = zlib.crc32(path.read_bytes(), total)
        _known_version = f"{total:08x}-{sys.implementation.cache_tag}-{marshal.version}"
    return _known_version


_known_version = ""
