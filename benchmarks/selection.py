"""Replays commits of a clone and asks, of each, whether the plan would have run the test files that the commit edits itself.

Commits count that change the package and at least one test file; others have nothing to choose by, or nothing to miss. Only the other files of a commit are shown to the plan, so that a test file never answers for itself. That an edited test
file "would have failed" is a proxy: it is the one that its author found worth changing.

    python benchmarks/selection.py CLONE --until 2d29ebf3e -n 80
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from torchrl_preflight.checks.imports import defining
from torchrl_preflight.checks.plan import selected, test_files
from torchrl_preflight.checks.routes import rows_of
from torchrl_preflight.hooks.facts.store import Store, default_path
from torchrl_preflight.hooks.git import Git, GitError
from torchrl_preflight.hooks.profile import choose
from torchrl_preflight.hooks.project import Project
from torchrl_preflight.hooks.tree import at_ref


class Replayed(NamedTuple):
    """One commit.

    Args:
        touched: test files that it edits or adds.
        chosen: test files that the plan takes for its other files.
        tests: test files of its tree.
        unmapped: files of the package that no row of the map speaks of.
    """

    commit: str
    subject: str
    touched: list[str]
    chosen: set[str]
    tests: int
    unmapped: list[str]

    @property
    def missed(self) -> list[str]:
        return [path for path in self.touched if path not in self.chosen]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path, metavar="CLONE")
    parser.add_argument(
        "-n", type=int, default=80, help="how many commits that count, along first parents (default: 80)"
    )
    parser.add_argument("--until", default="HEAD", metavar="REF", help="the last of them (default: HEAD)")
    arguments = parser.parse_args(argv)
    git = Git(str(arguments.clone))
    try:
        replayed = list(_replay(git, arguments.until, arguments.n))
        unmapped, unreached = _holes(git, arguments.until)
    except GitError as error:
        print(f"selection: {error}", file=sys.stderr)
        return 2
    for it in replayed:
        for path in it.missed:
            print(f"missed   {it.commit} {path}  ({it.subject})")
        for path in it.unmapped:
            print(f"unmapped {it.commit} {path}  ({it.subject})")
    touched = sum(len(it.touched) for it in replayed)
    missed = sum(len(it.missed) for it in replayed)
    covered = sum(not it.missed for it in replayed)
    share = sum(len(it.chosen) / it.tests for it in replayed) / len(replayed)
    print(f"{len(replayed)} commits, {replayed[-1].commit} to {replayed[0].commit}")
    print(f"touched test files selected: {touched - missed} of {touched} ({(touched - missed) / touched:.1%})")
    print(f"commits fully covered:       {covered} of {len(replayed)}")
    print(f"share of the test files:     {share:.1%}, the mean of the commits")
    print(f"in the tree of {arguments.until}:")
    print(f"  files that no row of the map speaks of: {', '.join(unmapped) or 'none'}")
    print(f"  test files that no change can reach:    {', '.join(unreached) or 'none'}")
    return 0


def _holes(git: Git, treeish: str) -> tuple[list[str], list[str]]:
    """Files that are unmapped, and test files that neither a row nor an import of the package leads to."""
    tree = at_ref(git, treeish)
    project = Project(tree, choose(tree, frozenset()), Store(default_path()))
    tests, package = test_files(project), project.profile["package"] + "/"
    reached = {test for path in tree.blobs for row in rows_of(path) for test in row.tests_for(path, tests)}
    reached |= {test for test in tests if any(path.startswith(package) for path in defining(project, test))}
    return [path for path in tree.blobs if not rows_of(path)], [test for test in tests if test not in reached]


def _replay(git: Git, until: str, count: int) -> Iterator[Replayed]:
    store = Store(default_path())
    for line in git.text("log", "--first-parent", "--format=%h %s", until, "--").splitlines():
        commit, _, subject = line.partition(" ")
        tree = at_ref(git, commit)
        profile = choose(tree, frozenset())
        if profile is None:
            raise GitError(f"no profile fits the tree of {commit}")
        project = Project(tree, profile, store)
        changed = tree.changed(at_ref(git, f"{commit}^"))
        tests = test_files(project)
        touched = [path for path in tests if path in changed]
        if not touched or not any(path.startswith(profile["package"] + "/") for path in changed):
            continue
        found = selected(project, changed - set(touched))
        yield Replayed(commit, subject, touched, set(found.tests), len(tests), found.unmapped)
        count -= 1
        if not count:
            break
    store.close()


if __name__ == "__main__":
    sys.exit(main())
