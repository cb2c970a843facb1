"""A project: facts with a meaning. Asked for one file, it reads that file and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..facts.records import Module, Suppression
from ..facts.source import decode
from ..facts.store import Store
from ..profile import Profile
from ..tree import Tree, at_ref

if TYPE_CHECKING:
    from ..facts.docstrings import Docstrings
    from ..facts.labeler import Labels
    from ..facts.rst import Rst
    from ..facts.shell import Script
    from ..facts.workflow import Workflow


class Project:
    """One tree, its profile and the facts of its files.

    Args:
        memo: what the modules of this folder computed for this project, by their own keys.
    """

    def __init__(self, tree: Tree, profile: Profile, store: Store) -> None:
        self.tree = tree
        self.profile = profile
        self.notes: list[str] = []
        self.memo: dict[Any, Any] = {}
        self.store = store
        self._known: dict[tuple[str, str], Any] = {}

    def at(self, treeish: str) -> Project:
        """The tree of another commit of the same repository, seen through the same profile.

        Raises:
            GitError: git does not know it.
        """
        return Project(at_ref(self.tree.git, treeish), self.profile, self.store)

    def module(self, path: str) -> Module | None:
        """Facts of a Python file, or None where there is no such file or it cannot be parsed."""
        facts = self.parsed(path)
        return facts if facts is not None and facts.failure is None else None

    def parsed(self, path: str) -> Module | None:
        """Facts of a Python file, its failure included; None where it cannot be read."""
        return self._facts("python", path)

    def script(self, path: str) -> Script | None:
        """Facts of a shell script."""
        return self._facts("shell", path)

    def workflow(self, path: str) -> Workflow | None:
        """Facts of a GitHub workflow."""
        return self._facts("workflow", path)

    def labels(self, path: str) -> Labels | None:
        """Facts of a configuration of GitHub's labeler."""
        return self._facts("labeler", path)

    def page(self, path: str) -> Rst | None:
        """Facts of a page of documentation."""
        return self._facts("rst", path)

    def docstrings(self, path: str) -> Docstrings | None:
        """What the docstrings of a Python file say of arguments and examples, and what they refer to."""
        return self._facts("docstrings", path)

    def suppressions(self, path: str) -> tuple[Suppression, ...]:
        """The suppression comments of a file, of whatever kind."""
        facts = self.module(path) if path.endswith(".py") else self._facts("comments", path)
        return facts.suppressions if facts is not None else ()

    def text(self, path: str) -> str | None:
        """Text of a file, or None where it cannot be read or is not text."""
        data = self.tree.read(path)
        if data is None:
            return None
        try:
            return decode(data)
        except SyntaxError:
            return None

    def note(self, note: str) -> None:
        """Says once what the run should tell besides findings."""
        if note not in self.notes:
            self.notes.append(note)

    def prime(self, jobs: int, docstrings: bool) -> None:
        """Parses all Python files, those of the package once for their docstrings, too, if these are wanted."""
        tree, package = self.tree, self.profile["package"] + "/"
        kinds, data = {}, {}
        for path in tree.paths(suffix=".py"):
            if blob := tree.blob(path):
                kinds[blob] = ("python", "docstrings") if docstrings and path.startswith(package) else ("python",)
                data[blob] = lambda path=path: tree.read(path)
        self.store.prime(kinds, data, jobs)

    def _facts(self, kind: str, path: str) -> Any | None:
        key = (kind, path)
        if key not in self._known:
            blob = self.tree.blob(path)
            known = None if blob is None else self.store.facts(kind, blob, lambda: self.tree.read(path))
            if known is None:
                return None
            self._known[key] = known
        return self._known[key]
