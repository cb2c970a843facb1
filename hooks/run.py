"""One run, start to end: trees, change, rules, what is new, edits."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from . import base as bases
from . import concrete, kept, pull_request
from . import profile as profiles
from . import tree as trees
from .change import Change
from .facts.store import Store, default_path
from .finding import Edit, Finding, order
from .first import first
from .git import Git, GitError
from .project import Project
from .report import Report
from .rules import _find
from .rules._rule import Rule
from .suppress import suppress

_ROUNDS = 10


class UsageError(Exception):
    """What was asked for makes no sense; the message is one line."""


class Options(NamedTuple):
    """What a run is asked for; the names are those of the command line.

    Args:
        repo: a folder of the repository, or a plain folder.
        package: judge this installed package in the plain folder ``repo``.
        edits: attach patches to every finding shown, not only to new ones.
        title: of the pull request; where it is empty, GitHub's event says it.
        pull_request: what is known of it otherwise; it wins.
        target_branch: where the change is to be brought to later, a release branch.
    """

    repo: str = "."
    ref: str | None = None
    base: str | None = None
    staged: bool = False
    everything: bool = False
    paths: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fix: bool = False
    edits: bool = False
    cache: bool = True
    jobs: int = 1
    package: str = ""
    title: str = ""
    pull_request: pull_request.PullRequest | None = None
    target_branch: str = ""


class Repaired(NamedTuple):
    """A file before and after all of its repairs, and the patch between."""

    path: str
    before: bytes
    after: bytes
    patch: str


def open_project(options: Options) -> tuple[Project | None, Store, Git | None]:
    """The tree to judge as a project; None where no profile fits it.

    Raises:
        GitError, ConfigError: the repository or the target's configuration cannot be read.
    """
    git = None if options.package else Git(options.repo, inherit=options.repo == ".")
    store = Store(default_path() if options.cache else None)
    tree = _tree(git, options)
    profile = profiles.choose(tree, frozenset(_find.names()))
    return (Project(tree, profile, store) if profile else None), store, git


def open_change(options: Options) -> tuple[bases.Base, Change | None, Store, Git | None]:
    """The base and the change to judge; None instead of the change where no profile fits the tree.

    Raises:
        GitError, ConfigError: the repository or the target's configuration cannot be read.
    """
    project, store, git = open_project(options)
    if project is None:
        return bases.Base(None, "none"), None, store, git
    base, before = _before(git, options, project, store)
    return base, Change(project, before, options.everything), store, git


@contextmanager
def _without_collector() -> Iterator[None]:
    """Facts are plain values without circles, so looking for circles finds nothing and takes a quarter of a run."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            # What is left of the run would be looked through at once.
            gc.freeze()
            gc.enable()


@_without_collector()
def run(options: Options) -> Report:
    """Judges a tree or a change.

    Raises:
        GitError, ConfigError, UsageError: nothing was judged; the message says what to do.
    """
    rules = _selected(options)
    options = _as_pushed(options)
    if options.fix and options.ref:
        raise UsageError("--fix edits files, so it cannot be used with --ref")
    fixed: list[str] = []
    # The index does not see what is edited, so a second round would find the same again.
    for _ in range(_ROUNDS if options.fix and not options.staged else 1):
        report, repaired = _once(options, rules)
        changed = _apply(options, repaired, report.notes) if options.fix else []
        fixed += [path for path in changed if path not in fixed]
        if not changed:
            break
    return report._replace(fixed=fixed)


def _once(options: Options, rules: list[Rule]) -> tuple[Report, list[Repaired]]:
    base, change, store, git = open_change(options)
    if change is None:
        note = "no profile fits this tree (it has neither torchrl nor tensordict), so nothing was judged"
        return Report(base, [], [note], [], {}), []
    project, before = change.project, change.before
    notes = [base.note] if base.note else []
    if base.commit is None and options.everything and git is not None:
        # The advice to judge everything has been taken.
        notes = [f"{base.note.partition(';')[0]}, so nothing counts as new"]
    if base.commit is None and not options.everything:
        enforced = project.profile.enforced
        rules = [rule for rule in rules if rule.name in enforced]
        notes.append(f"no base, so only rules of enforce-all judged ({', '.join(enforced) or 'none is listed'})")
    severities = {rule.name: project.profile.severities.get(rule.name, rule.severity) for rule in rules}
    rules, idle = _with_something_to_judge([rule for rule in rules if severities[rule.name] != "off"], project)
    notes += idle
    change.pull_request = options.pull_request or pull_request.known(options.title)
    change.target = _target(project, options.target_branch)
    if options.everything:
        project.prime(options.jobs, docstrings=any(rule.docstrings for rule in rules))
    findings: list[Finding] = []
    for rule in sorted(rules, key=lambda rule: rule.last):
        findings += _judge(rule, change, severities[rule.name])
    findings = [finding for finding in findings if _wanted(finding, options.paths)]
    notes += _unknown(options.paths, project, before)
    findings, repaired = _with_edits(findings, rules, project, options)
    heeded = first(change, findings)
    changed = {path: change.changed_lines(path) for path in {item.path for item in findings} & change.changed}
    store.close()
    notes += project.notes
    for side in (project, before):
        if side is not None and side.tree.unreadable:
            paths = sorted(side.tree.unreadable)
            more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
            notes.append(
                f"not read in {side.tree.label}: {', '.join(paths[:3])}{more} ({side.tree.unreadable[paths[0]]})"
            )
    stats = {
        "files": len(project.tree.blobs),
        "judged": len(change.judged),
        "rules": len(change.ran),
        "read": store.read,
        "parsed": store.parsed,
    }
    if git is not None:
        git.close()
    report = Report(
        base,
        sorted(findings, key=order),
        notes,
        [],
        stats,
        diff="".join(item.patch for item in repaired),
        rules={rule.name: rule.summary for rule in rules},
        changed=changed,
        first=heeded,
    )
    return report, repaired


def _with_something_to_judge(rules: list[Rule], project: Project) -> tuple[list[Rule], list[str]]:
    """Rules whose folders the tree has, and a note for each need that is not met: silence is no "clean"."""
    idle: dict[str, list[str]] = {}
    for rule in rules:
        for need in rule.needs:
            path = project.profile[need]
            if path not in project.tree and not project.tree.paths(path):
                idle.setdefault(path, []).append(rule.name)
                break
    without = {name for names in idle.values() for name in names}
    notes = [f"nothing to judge for {', '.join(names)}: this tree has no {path}" for path, names in idle.items()]
    return [rule for rule in rules if rule.name not in without], notes


def _judge(rule: Rule, change: Change, severity: str) -> list[Finding]:
    if rule.change_rule and change.before is None:
        return []
    enforced = rule.name in change.project.profile.enforced
    judged = change if not enforced or change.everything else _everything(change)
    change.ran.add(rule.name)
    if not rule.concerned(judged):
        return []
    found = _checked(rule, judged, severity)
    found = suppress(judged, found)
    change.found += found
    if enforced or rule.change_rule or not found:
        return found
    if change.before is None:
        return [finding._replace(new=False) for finding in found]
    found = change.mark_new(found, _old(rule, change, found, severity))
    return found if change.everything else [finding for finding in found if finding.new]


def _old(rule: Rule, change: Change, found: list[Finding], severity: str) -> list[Finding]:
    """What the rule finds in the base, as far as it may be the twin of something found."""
    if not change.changed:
        return found
    before = change.backwards(found)
    if rule.last:
        # It judges what the others found, so they come first there, too.
        before.ran = {name for name in change.ran if name != rule.name and not _find.rule(name).change_rule}
        for name in sorted(before.ran):
            before.found += suppress(before, _checked(_find.rule(name), before, ""))
    return suppress(before, _checked(rule, before, severity))


def _checked(rule: Rule, change: Change, severity: str) -> list[Finding]:
    found = []
    try:
        for finding in kept.findings(rule, change):
            found.append(_named(finding, rule, severity))
    except RecursionError:
        change.project.note(
            f"{rule.name} stopped before its end: something in {change.project.tree.label} is nested too deeply"
        )
    return found


def _target(project: Project, branch: str) -> Project | None:
    """The tree of the branch that a change is to be brought to: the local one, or the remote's."""
    if not branch:
        return None
    git = project.tree.git
    names = [name for name in (branch, f"origin/{branch}") if git is not None and git.commit(name)]
    if not names:
        raise UsageError(f"--target-branch {branch}: no such branch here; fetch it (git fetch origin {branch})")
    return project.at(names[0])


def _everything(change: Change) -> Change:
    other = Change(change.project, change.before, everything=True)
    other.pull_request, other.target = change.pull_request, change.target
    return other


def _named(finding: Finding, rule: Rule, severity: str) -> Finding:
    # A target that sets a severity means all of the rule's findings; otherwise the rule may choose.
    chosen = finding.severity if finding.severity and severity == rule.severity else severity
    return finding._replace(rule=rule.name, severity=chosen)


def _with_edits(
    findings: list[Finding], rules: list[Rule], project: Project, options: Options
) -> tuple[list[Finding], list[Repaired]]:
    """Findings with their patches, and each file that they are about as it is after all of its repairs."""
    by_name = {rule.name: rule for rule in rules}
    asked = options.fix or options.edits
    by_path: dict[str, list[int]] = {}
    for position, finding in enumerate(findings):
        fixable = finding.fix is not None and not finding.suppressed and (finding.new or asked)
        if fixable and by_name[finding.rule].repair:
            for path in (finding.path, *finding.fix_also):
                by_path.setdefault(path, []).append(position)
    edited, repaired = list(findings), []
    for path, positions in sorted(by_path.items()):
        data = project.tree.read(path)
        if data is None:
            continue
        file = concrete.Editable(path, data)
        repairs = [
            (by_name[findings[position].rule].repair, findings[position]._replace(path=path)) for position in positions
        ]
        for position, repair in zip(positions, repairs):
            after = file.repaired([repair])
            if after is not None:
                before = edited[position].edit.patch if edited[position].edit else ""
                edited[position] = findings[position]._replace(edit=Edit(before + file.patch(after), True))
        after = file.repaired(repairs) if asked else None
        if after is not None:
            repaired.append(Repaired(path, data, after, file.patch(after)))
    return edited, repaired


def _apply(options: Options, repaired: list[Repaired], notes: list[str]) -> list[str]:
    root = Git(options.repo, inherit=options.repo == ".").root
    changed = []
    for path, before, after, _ in repaired:
        target = root / path
        try:
            found = target.read_bytes()
            if found != before and found.replace(b"\r\n", b"\n") == before:
                # As git checked it out where core.autocrlf is set.
                after = after.replace(b"\n", b"\r\n")
            elif found != before:
                why = "has unstaged changes" if options.staged else "changed meanwhile"
                notes.append(f"{path} {why}, so it was not edited")
                continue
            concrete.write(target, after)
        except OSError as error:
            notes.append(f"{path} could not be edited: {error.strerror}")
            continue
        changed.append(path)
    return changed


def _selected(options: Options) -> list[Rule]:
    known = _find.names()
    for name in (*options.select, *options.ignore):
        if name not in known:
            raise UsageError(f"unknown rule {name!r}; torchrl-lint rules lists them")
    return [_find.rule(name) for name in options.select or known if name not in options.ignore]


def _as_pushed(options: Options) -> Options:
    """At the pre-push stage and with --from-ref, pre-commit names the two ends of what is pushed."""
    source, target = os.environ.get("PRE_COMMIT_FROM_REF"), os.environ.get("PRE_COMMIT_TO_REF")
    if options.staged and source and target:
        git = Git(options.repo)
        try:
            source = git.text("merge-base", source, target)
        except GitError:
            pass
        return options._replace(staged=False, ref=target, base=source, fix=False)
    return options


def _tree(git: Git | None, options: Options) -> trees.Tree:
    if git is None:
        return trees.plain_folder(options.repo, (options.package,))
    if options.ref:
        return trees.at_ref(git, options.ref)
    if options.staged:
        return trees.index(git)
    if git.bare:
        raise GitError(
            f"{options.repo}: a bare repository has no working tree; run in a clone that has one, or name a commit with --ref"
        )
    return trees.working_tree(git)


def _before(git: Git | None, options: Options, project: Project, store: Store) -> tuple[bases.Base, Project | None]:
    if git is None:
        return bases.Base(
            None, "none", "an installed package has no history: rules about a change judged nothing"
        ), None
    base = bases.choose(
        git, base=options.base, ref=options.ref, staged=options.staged, releases=project.profile["release-branches"]
    )
    if base.commit is None:
        return base, None
    return base, Project(trees.at_ref(git, base.commit), project.profile, store)


def _unknown(paths: tuple[str, ...], *sides: Project | None) -> list[str]:
    """A note for each path that neither tree has: a misspelt one must not look clean."""
    known = [side.tree for side in sides if side is not None]
    return [
        f"{path}: no such file or folder"
        for path in paths
        if path and not any(path in tree or tree.paths(path) for tree in known)
    ]


def _wanted(finding: Finding, paths: tuple[str, ...]) -> bool:
    return not paths or any(
        not wanted or path == wanted or path.startswith(wanted + "/")
        for path in (finding.path, *finding.derived_from)
        for wanted in paths
    )
