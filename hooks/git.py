"""The git command: the only place of this room that starts it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

# What a hook's environment may carry over from another repository.
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX")


class GitError(Exception):
    """Git refused; the message is one line that says what to do."""


class NoRepository(GitError):
    """The folder is in no repository at all."""


class Git:
    """A repository as seen from a folder in it.

    Args:
        folder: any folder of the work tree, or a bare repository.
        inherit: keep the GIT_* variables of the environment, as a hook must: ``git commit -a`` and
            ``git commit FILE`` judge an index of their own.

    Raises:
        NoRepository: the folder is not in a repository.
        GitError: git does not trust or cannot read it.
    """

    def __init__(self, folder: str | os.PathLike[str], *, inherit: bool = True) -> None:
        self.folder = os.fspath(folder)
        self._environment = {
            **{name: value for name, value in os.environ.items() if inherit or name not in _ELSEWHERE},
            "LC_ALL": "C",
            "GIT_OPTIONAL_LOCKS": "0",
            # Nothing leaves the machine: a partial clone must not fetch what it lacks (git >= 2.45
            # knows the first, older ones refuse every protocol of the second).
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_ALLOW_PROTOCOL": "none",
            "GIT_TERMINAL_PROMPT": "0",
        }
        self._blobs: subprocess.Popen[bytes] | None = None
        # One call: each process costs as much as judging a small file.
        bare, up = self.text("rev-parse", "--is-bare-repository", "--show-cdup").partition("\n")[::2]
        # The folder may be a link to one inside the work tree, so its links go before the dots.
        self.root = None if bare == "true" else Path(os.path.realpath(os.path.join(self.folder, up.strip("\n"))))
        if self.root is not None:
            self.folder = os.fspath(self.root)

    @property
    def bare(self) -> bool:
        """Whether there is no working tree."""
        return self.root is None

    def run(self, *arguments: str, allow_protocol: bool = False) -> bytes:
        """Runs ``git ARGUMENTS`` and returns its standard output.

        Raises:
            GitError: with the remedy for the refusals that users meet.
        """
        environment = self._environment
        if allow_protocol:
            environment = {key: value for key, value in environment.items() if key != "GIT_ALLOW_PROTOCOL"}
        try:
            done = subprocess.run(
                ["git", "-C", self.folder, *arguments], capture_output=True, env=environment, stdin=subprocess.DEVNULL
            )
        except FileNotFoundError as error:
            raise GitError("git was not found; install it and put it on PATH") from error
        if done.returncode:
            said = done.stderr.decode(errors="replace")
            kind = NoRepository if "not a git repository" in said else GitError
            raise kind(_explain(said, self.folder))
        return done.stdout

    def text(self, *arguments: str) -> str:
        """Standard output of ``git ARGUMENTS`` without the final newline."""
        return os.fsdecode(self.run(*arguments)).rstrip("\n")

    def commit(self, treeish: str) -> str | None:
        """Full id of the commit that ``treeish`` names, or None."""
        try:
            return self.text("rev-parse", "--verify", "--quiet", "--end-of-options", f"{treeish}^{{commit}}")
        except GitError:
            return None

    def blob(self, blob: str) -> bytes | None:
        """Content of a blob, or None where the clone does not have it."""
        process = self._blobs
        if process is None:
            process = self._blobs = subprocess.Popen(
                ["git", "-C", self.folder, "cat-file", "--batch"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._environment,
            )
        try:
            process.stdin.write(blob.encode() + b"\n")
            process.stdin.flush()
            header = process.stdout.readline().split()
        except BrokenPipeError:
            header = []
        if len(header) != 3:
            # "<id> missing", or git died because it tried to fetch from a promisor.
            if not header:
                self.close()
            return None
        data = process.stdout.read(int(header[2]) + 1)
        return data[:-1]

    def close(self) -> None:
        """Ends the reading process, if there is one."""
        process, self._blobs = self._blobs, None
        if process is not None:
            for stream in (process.stdin, process.stdout):
                try:
                    stream.close()
                except OSError:
                    pass
            process.wait()


def _explain(error: str, folder: str) -> str:
    lines = [line for line in error.splitlines() if line.strip()] or ["git failed without a message"]
    if "dubious ownership" in error:
        return (
            f"{folder}: git does not trust this repository's owner; "
            f"run: git config --global --add safe.directory '{Path(folder).resolve()}'"
        )
    if "cannot change to" in error:
        return f"{folder}: no such folder"
    if "not a git repository" in error:
        return f"{folder}: not a git repository; run inside a clone, or name one with --repo"
    return f"{folder}: {lines[0].removeprefix('fatal: ')}"
