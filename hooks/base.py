"""Which tree a change is compared with, decided from what the repository and the environment say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from fnmatch import fnmatch
from typing import Any, NamedTuple

from .git import Git, GitError


class Base(NamedTuple):
    """A base and why it is that one.

    Args:
        commit: commit or tree id; None where there is no base.
        chosen_by: for people, for example ``merge base with origin/main``.
        note: what the user should know, mostly why there is none.
    """

    commit: str | None
    chosen_by: str
    note: str = ""


def choose(
    git: Git,
    *,
    base: str | None,
    ref: str | None,
    staged: bool,
    releases: str,
    environment: Mapping[str, str] = os.environ,
) -> Base:
    """Picks the base.

    Args:
        base: what ``--base`` named.
        ref: what ``--ref`` named; HEAD's working tree or index otherwise.
        releases: glob of release branches.
        environment: where GitHub Actions describes its event.

    Raises:
        GitError: the base is known but not in this clone; says how to get it.
    """
    if base == "":
        raise GitError("--base is empty; name a commit, or leave it out to have one chosen")
    if base is not None:
        return Base(_present(git, base, environment, f"--base {base}"), f"--base {base}")
    if staged:
        head = git.commit("HEAD")
        if head:
            return Base(head, "HEAD")
        # Not a constant: its id depends on the repository's hash.
        return Base(git.text("hash-object", "-t", "tree", "--stdin"), "no commit yet: the empty tree")
    if ref is None and environment.get("GITHUB_ACTIONS") == "true":
        found = _from_event(git, environment)
        if found is not None:
            return found
    return _by_hand(git, ref or "HEAD", ref is None, releases, environment)


def _from_event(git: Git, environment: Mapping[str, str]) -> Base | None:
    event, name = _event(environment), environment.get("GITHUB_EVENT_NAME", "")
    if name in ("pull_request", "pull_request_target"):
        parents = _parents(git, "HEAD")
        if len(parents) == 2:
            # GitHub's test merge: right for a stack too, whatever moved meanwhile.
            return Base(
                _present(git, parents[0], environment, "the merge commit's first parent"),
                "first parent of the merge commit",
            )
        sha = _string(event, "pull_request", "base", "sha")
        return _merge_base(git, sha, "HEAD", "the pull request's base", environment) if sha else None
    if name == "merge_group":
        sha = _string(event, "merge_group", "base_sha")
        return Base(_present(git, sha, environment, "the merge group's base"), "merge group base") if sha else None
    if name == "push":
        sha = _string(event, "before")
        if sha.strip("0"):
            return Base(_present(git, sha, environment, "the push's before"), "before of the push")
    return None


def _by_hand(git: Git, ref: str, here: bool, releases: str, environment: Mapping[str, str]) -> Base:
    head = git.commit(ref)
    if head is None:
        return Base(
            None,
            "none",
            "no commit yet, so nothing to compare with"
            if here
            else "a tree has no history; give --base, or --all to judge everything",
        )
    branch = _branch(git) if here else ref.removeprefix("origin/")
    if fnmatch(branch, releases):
        try:
            tag = git.text("describe", "--tags", "--abbrev=0", head)
        except GitError:
            return Base(
                None, "none", f"release branch {branch} has no tag here; fetch tags (git fetch --tags) or give --base"
            )
        return Base(git.commit(tag), f"last tag on {branch}: {tag}")
    defaults = _default_branches(git)
    bases = {}
    for name in defaults:
        try:
            bases[git.text("merge-base", name, head)] = name
        except GitError:
            continue
    if not bases:
        if defaults and _is_shallow(git):
            raise GitError(f"this shallow clone does not reach the merge base with {defaults[0]}; {_REMEDY}")
        why = f"no common history with {defaults[0]}" if defaults else "no remote branch to compare with"
        return Base(None, "none", f"{why}; give --base, or --all to judge everything")
    nearest = (
        min(bases, key=lambda commit: int(git.text("rev-list", "--count", f"{commit}..{head}")))
        if len(bases) > 1
        else next(iter(bases))
    )
    return Base(nearest, f"merge base with {bases[nearest]}")


_REMEDY = "set fetch-depth: 2 (pull requests) or 0 in actions/checkout, or run: git fetch --unshallow"


def _merge_base(git: Git, sha: str, ref: str, what: str, environment: Mapping[str, str]) -> Base:
    _present(git, sha, environment, what)
    try:
        return Base(git.text("merge-base", sha, ref), f"merge base with {what}")
    except GitError as error:
        raise GitError(f"{what} {sha[:12]} has no common history with {ref} in this clone; {_REMEDY}") from error


def _present(git: Git, commit: str, environment: Mapping[str, str], what: str) -> str:
    """The commit's id; fetched when a GitHub job lacks it, since only there a network is agreed to."""
    found = git.commit(commit)
    if found is None and environment.get("GITHUB_ACTIONS") == "true" and _is_shallow(git):
        try:
            git.run("fetch", "--quiet", "--no-tags", "--depth=1", "origin", commit, allow_protocol=True)
        except GitError:
            pass
        found = git.commit(commit)
    if found is None:
        tree = _tree(git, commit)
        if tree is not None:
            return tree
        if _is_shallow(git):
            raise GitError(f"{what}: {commit} is not in this shallow clone; {_REMEDY}")
        raise GitError(f"{what}: no such commit or tree here; fetch it (git fetch origin {commit})")
    return found


def _tree(git: Git, treeish: str) -> str | None:
    try:
        return git.text("rev-parse", "--verify", "--quiet", "--end-of-options", f"{treeish}^{{tree}}")
    except GitError:
        return None


def _parents(git: Git, ref: str) -> list[str]:
    lines = git.text("cat-file", "commit", ref).splitlines()
    return [line[7:] for line in lines[: lines.index("")] if line.startswith("parent ")]


def _branch(git: Git) -> str:
    try:
        return git.text("symbolic-ref", "--quiet", "--short", "HEAD")
    except GitError:
        return ""


def _default_branches(git: Git) -> list[str]:
    """Remote default branches that this clone knows; a fork's ``upstream`` before its ``origin``."""
    listing = git.text("for-each-ref", "--format=%(refname:short) %(symref:short)", "refs/remotes")
    refs = [line.split() for line in listing.splitlines()]
    known = {ref[0] for ref in refs if len(ref) == 1}
    found = []
    for remote in sorted(git.text("remote").split(), key=lambda name: (name != "upstream", name != "origin", name)):
        named = [ref[1] for ref in refs if len(ref) == 2 and ref[1].startswith(remote + "/")]
        found += [name for name in (*named, f"{remote}/main", f"{remote}/master") if name in known][:1]
    return found


def _is_shallow(git: Git) -> bool:
    return git.text("rev-parse", "--is-shallow-repository") == "true"


def _event(environment: Mapping[str, str]) -> Any:
    path = environment.get("GITHUB_EVENT_PATH", "")
    if not path:
        return {}
    import json

    try:
        with open(path, encoding="utf-8") as stream:
            return json.load(stream)
    except (OSError, ValueError):
        return {}


def _string(event: Any, *keys: str) -> str:
    """A value of the event's payload, if it looks like an object id: the payload is data."""
    for key in keys:
        event = event.get(key) if isinstance(event, dict) else None
    return event if isinstance(event, str) and len(event) in (40, 64) and set(event) <= set("0123456789abcdef") else ""
