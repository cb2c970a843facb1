"""The pytest commands that CI runs, read from the workflows and the scripts that they call."""

from __future__ import annotations

import hashlib
import posixpath
from typing import NamedTuple

from ..facts.records import plain
from . import Project
from .select import Selection

_CONFIGURATION = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")


class Gate(NamedTuple):
    """When a job runs.

    Args:
        event: one of the constants above, or the name of another GitHub event.
        labels: a pull request needs one of these; "llm/*" stands for any label with "llm/" in it.
        without: and none of these.
        paths: and changes a file that one of these globs matches.
    """

    event: str
    labels: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


class Run(NamedTuple):
    """One pytest command of one variant of a job.

    Args:
        label: the job's name, with its workflow's where that alone says too little.
        variant: values of the matrix in the order of the file, as GitHub shows them after the job's name.
        workflow: path; ``line`` is the job's.
        script: the file with the command, the workflow itself where it stands there; ``script_line`` is the command's.
        gpus: by runner label; 0 is a CPU host.
        folder: where pytest runs.
        scripts: every script that the job runs, its set-up included.
    """

    label: str
    variant: tuple[str, ...]
    job: str
    workflow: str
    line: int
    script: str
    script_line: int
    gates: tuple[Gate, ...]
    runner: str
    gpus: int
    folder: str
    selection: Selection
    scripts: tuple[str, ...]

    @property
    def name(self) -> str:
        """``tests-cpu (3.10, bulk)``."""
        return f"{self.label} ({', '.join(self.variant)})" if self.variant else self.label

    @property
    def events(self) -> tuple[str, ...]:
        return tuple([gate.event for gate in self.gates])

    def on(self, event: str) -> Gate | None:
        """When the job runs on an event, or None where it does not."""
        return next((gate for gate in self.gates if gate.event == event), None)


def runs(project: Project) -> tuple[Run, ...]:
    """Every pytest command of every job, in the order of the files; read once for all trees with the same CI."""
    return _read(project)[0]


def incomplete(project: Project) -> bool:
    """Whether some workflow, or a script that runs pytest, could not be read: what is collected is then not known."""
    return _read(project)[1]


def _read(project: Project) -> tuple[tuple[Run, ...], bool]:
    if "runs" not in project.memo:
        key = _digest(project)
        kept = project.store.recall("runs", key)
        if kept is None:
            # Interpreting takes as long as the rest of a hook, and so does loading what interprets.
            from . import ci_reader

            noted = len(project.notes)
            found = ci_reader.read(project)
            kept = tuple(map(_plain, found)), ci_reader.incomplete(project, found)
            if len(project.notes) == noted and not project.tree.unreadable:
                project.store.keep("runs", key, kept)
        project.memo["runs"] = tuple(map(_revived, kept[0])), kept[1]
    return project.memo["runs"]


def _plain(run: Run) -> tuple:
    return plain(run._replace(gates=plain(run.gates), selection=plain(run.selection)))


def _revived(row: tuple) -> Run:
    run = Run._make(row)
    return run._replace(gates=tuple(map(Gate._make, run.gates)), selection=Selection._make(run.selection))


def _digest(project: Project) -> str:
    """A sum over all that decides what CI runs: its files, scripts and configuration, and which paths there are."""
    tree, folder = project.tree, ci_folder(project) + "/"
    known = f"{project.store.code()}{project.profile.values!r}"
    digest = hashlib.sha1(known.encode("utf-8", "surrogatepass"), usedforsecurity=False)
    for path in sorted(tree.blobs):
        read = path.startswith(folder) or path.endswith(".sh") or path in _CONFIGURATION
        digest.update(f"{path}\0{tree.blob(path) if read else ''}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def dead_scripts(project: Project) -> dict[str, list[Run]]:
    """Scripts with a pytest command that no workflow calls, and what they would run."""
    if "dead scripts" not in project.memo:
        from . import ci_reader

        project.memo["dead scripts"] = ci_reader.dead_scripts(project)
    return project.memo["dead scripts"]


def ci_folder(project: Project) -> str:
    """The folder with everything that CI is made of, ``.github``."""
    return posixpath.dirname(project.profile["workflows"])


def exists(project: Project, path: str) -> bool:
    """Whether a path is a file or a folder of the tree."""
    if "folders" not in project.memo:
        project.memo["folders"] = _folders(project)
    return path in project.tree or path in project.memo["folders"]


def _folders(project: Project) -> set[str]:
    folders = {"."}
    for path in project.tree.blobs:
        while (path := posixpath.dirname(path)) and path not in folders:
            folders.add(path)
    return folders
