"""Two projects, before and after, and what is new between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from .finding import Finding
from .git import GitError
from .project import Project
from .project.names import importers
from .pull_request import PullRequest


class Change:
    """What a run judges.

    Args:
        project: the tree judged.
        before: the base; None where there is none.
        everything: judge all files, not only those that differ.
        found: what the rules found so far, suppressed or not, for the rules that judge suppressions.
        ran: names of the rules that have judged.
        pull_request: the pull request that the change belongs to.
        target: the branch that the change is to be brought to, where one was named.
    """

    def __init__(self, project: Project, before: Project | None, everything: bool) -> None:
        self.project = project
        self.before = before
        self.everything = everything
        self.found: list[Finding] = []
        self.ran: set[str] = set()
        self.pull_request = PullRequest()
        self.target: Project | None = None

    @cached_property
    def changed(self) -> set[str]:
        """Paths whose content differs between the two trees, deleted ones included."""
        return self.project.tree.changed(self.before.tree) if self.before else set()

    @cached_property
    def judged(self) -> list[str]:
        """Paths of the tree that may carry findings."""
        tree = self.project.tree
        return tree.paths() if self.everything else sorted(path for path in self.changed if path in tree)

    def judged_under(self, folder: str, suffix: str = "") -> list[str]:
        """Those of ``judged`` below a folder and with a suffix."""
        return [path for path in self.judged if path.startswith(folder + "/") and path.endswith(suffix)]

    def with_importers(self, folder: str) -> list[str]:
        """Judged Python files below a folder and, since a helper decides for its users, those that import one of them."""
        judged = self.judged_under(folder, ".py")
        helpers = {path for path in judged if not path.rpartition("/")[2].startswith("test_")}
        if self.everything or not helpers:
            return judged
        others = [path for path in self.project.tree.paths(folder, ".py") if path not in set(judged)]
        return sorted([*judged, *importers(self.project, helpers, others)])

    def is_new_file(self, path: str) -> bool:
        """Whether the base has neither the path nor what it was renamed from."""
        return self.before is not None and path not in self.before.tree and path not in self.renames

    @cached_property
    def renames(self) -> dict[str, str]:
        """New path -> old path, for files that moved with at least half of their lines."""
        if self.before is None:
            return {}
        new, old = self.project.tree, self.before.tree
        gone = [path for path in sorted(self.changed) if path not in new]
        pairs = []
        lines: dict[str, Counter[bytes]] = {}
        for path in sorted(self.changed) if gone else ():
            if path in old or path not in new:
                continue
            here = Counter((new.read(path) or b"").splitlines())
            for other in gone:
                if other.rpartition(".")[2] == path.rpartition(".")[2]:
                    if other not in lines:
                        lines[other] = Counter((old.read(other) or b"").splitlines())
                    most = max(here.total(), lines[other].total())
                    share = (here & lines[other]).total() / most if most else 0
                    if share >= 0.5:
                        pairs.append((-share, path, other))
        found: dict[str, str] = {}
        for _, path, other in sorted(pairs):
            if path not in found and other not in found.values():
                found[path] = other
        return found

    def changed_lines(self, path: str) -> frozenset[int]:
        """Numbers of a file's lines that differ from the base's, counted from 1."""
        from difflib import SequenceMatcher

        old = self.before.tree.read(self.renames.get(path, path)) if self.before else None
        before, after = (old or b"").splitlines(), (self.project.tree.read(path) or b"").splitlines()
        first = next((at for at, (a, b) in enumerate(zip(before, after)) if a != b), min(len(before), len(after)))
        # What both sides end with is the same; only what lies between is worth a comparison.
        most = min(len(before), len(after)) - first
        same = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
        blocks = SequenceMatcher(
            None, before[first : len(before) - same], after[first : len(after) - same]
        ).get_opcodes()
        return frozenset(
            first + 1 + number for kind, _, _, start, end in blocks if kind != "equal" for number in range(start, end)
        )

    @cached_property
    def said(self) -> list[str]:
        """What the authors wrote about the change: the pull request's body, and the messages of the commits since the base."""
        texts = [self.pull_request.body]
        git, tree = self.project.tree.git, self.project.tree
        if self.before is not None and git is not None:
            here = tree.label if tree.folder is None and tree.label != "index" else "HEAD"
            try:
                texts += git.text("log", "-z", "--format=%B", f"{self.before.tree.label}..{here}", "--").split("\0")
            except GitError:
                pass  # trees have no commits between them
        return texts

    def backwards(self, findings: Iterable[Finding]) -> Change:
        """The base as something to judge: every file that could hold the old twin of a finding."""
        other = Change(self.before, None, everything=False)
        paths = {finding.path for finding in findings} | {self.renames.get(finding.path, "") for finding in findings}
        other.judged = sorted(path for path in paths | self.changed if path in self.before.tree)
        return other

    def mark_new(self, findings: list[Finding], old: Iterable[Finding]) -> list[Finding]:
        """Sets ``new`` on each finding: it has no twin among the base's.

        Twins agree in path (after renames), symbol and text; what is left over is paired across files by
        the symbol's last part and text, so that moved and split code is not new. Each old finding
        answers for one.
        """
        here: Counter[tuple] = Counter()
        for finding in old:
            here[finding.path, finding.symbol, _state(finding)] += 1
        moved: Counter[tuple] = Counter()
        new = [True] * len(findings)
        for position, finding in enumerate(findings):
            for path in (finding.path, self.renames.get(finding.path)):
                key = (path, finding.symbol, _state(finding))
                if here[key] > 0:
                    here[key] -= 1
                    new[position] = False
                    break
        for (_, symbol, state), count in here.items():
            moved[_tail(symbol), state] += count
        for position, finding in enumerate(findings):
            if new[position]:
                key = (_tail(finding.symbol), _state(finding))
                if moved[key] > 0:
                    moved[key] -= 1
                    new[position] = False
        return [finding._replace(new=flag) for finding, flag in zip(findings, new)]


def _state(finding: Finding) -> tuple[str, bool]:
    # Moving code into a class or another block changes its indentation only. Who takes a suppression
    # away answers for what it suppressed.
    return " ".join((finding.text or finding.message).split()), bool(finding.suppressed)


def _tail(symbol: str) -> str:
    """The last part of a symbol: what survives when a test changes its class or a name its module."""
    return symbol.replace("::", ".").rpartition(".")[2]
