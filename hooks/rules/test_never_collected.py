"""A test that no CI job runs, or a CI script that runs nothing.

What it protects: a test that no job collects passes for ever and rots without a signal. The jobs are
read from the workflows and the scripts that they call, so the rule follows when they change.

Reported, once for a file or class:

* a file that no job selects: its name is not a test file's, or every job ignores it
* a test that every job leaves out by -k or -m
* a test marked slow (or with another mark that needs an option) where no job passes the option
* a test that needs more GPUs than any job that collects it has, by runner label
* a test that needs an environment variable that no workflow sets, or a package that no job which
  collects it installs
* a script that names a path which is not there, or that no workflow calls
* shards of one job that leave out a file which another job's shards take, and scripts whose lists of
  quarantined files differ
* a mark that the pytest configuration does not register (a misspelt one selects nothing)

Bad:

    # test_new.py, in a folder that every job passes to --ignore
    @pytest.mark.slow            # and no job that takes the file passes --runslow
    def test_long_rollout():
        ...

Good:

    def test_rollout():
        ...

How to fix: give the test to a job (a path, a -k name, --runslow, a larger runner), or drop the gate.
``torchrl-lint jobs TEST`` prints what every job does with it. What cannot be decided (a workflow that
does not parse, an argument computed at run time) is not reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ..change import Change
from ..finding import Finding
from ..project import Project
from ..project.ci import Run, dead_scripts, exists, incomplete, runs
from ..project.jobs import NEEDS_OPTION, collects, collects_file, mark_sets, refusal, runs_of
from ..project.needs import Needs, installs, mentions, named_in_ci, needs, verdicts
from ..project.pytest_config import config_paths, registered
from ..project.tests import Test, collected, is_test_file

SUMMARY = "No CI job runs the test"
SEVERITY = "warning"
SECTION = "7a"

_BUILTIN = {"parametrize", "skip", "skipif", "xfail", "usefixtures", "filterwarnings"}
# Marks that pytest's common plugins register themselves.
_PLUGINS = {
    "anyio", "asyncio", "benchmark", "dependency", "flaky", "forked", "isolate", "order", "repeat", "rerun", "run",
    "timeout", "trio", "xdist_group",
}
_SHOWN = 3


class _Cause(NamedTuple):
    """Why a test runs nowhere; tests of one class with the same kind are told together."""

    kind: str
    message: str
    hint: str
    severity: str = ""
    scripts: tuple[str, ...] = ()


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    folder = project.profile["tests"]
    # What a job runs may change for every test when a workflow or one of its scripts does.
    ci = [path for path in change.judged if path.startswith(".github/") or path in config_paths(project)]
    if not runs(project) or incomplete(project):
        return
    for path in project.tree.paths(folder, ".py") if ci else change.with_importers(folder):
        yield from _file(change, path)
    if ci:
        yield from _scripts(project)
        yield from _shards(project)
        yield from _lists(project)


# Tests

def _file(change: Change, path: str) -> Iterator[Finding]:
    project = change.project
    found = collected(project, path)
    new = "error" if change.is_new_file(path) else ""
    yield from _marks(project, path, found)
    if not found:
        return
    if not runs_of(project, path):
        yield from _unselected(project, path, found, new)
        return
    groups: dict[str, list[tuple[Test, _Cause]]] = {}
    sizes: Counter[str] = Counter()
    for test in found:
        owner = test.symbol.rpartition("::")[0]
        sizes[owner] += 1
        cause = _cause(project, test)
        if cause is not None:
            groups.setdefault(owner, []).append((test, cause))
    for owner, pairs in groups.items():
        kind = Counter(cause.kind for _, cause in pairs).most_common(1)[0][0]
        chosen = [(test, cause) for test, cause in pairs if cause.kind == kind]
        yield _finding(path, owner, chosen, sizes[owner], new)


def _finding(path: str, owner: str, chosen: list[tuple[Test, _Cause]], size: int, new: str) -> Finding:
    first, cause = chosen[0]
    every = len(chosen) == size and bool(first.classes)
    # The class where the whole class is meant, else its first test.
    line = first.classes[0][1].line if every else first.line
    names = [test.symbol.rpartition("::")[2] for test, _ in chosen]
    shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
    subject = f"all {size} tests of {owner}" if every and size > 1 else shown
    symbol = owner or (names[0] if len(names) == 1 else path.rpartition("/")[2].removesuffix(".py"))
    return Finding(
        path, line, symbol, f"No CI job runs {subject}: {cause.message}", cause.hint,
        text=cause.kind, severity=cause.severity or new, derived_from=cause.scripts,
        verify=f"torchrl-lint jobs {path}::{first.symbol}",
    )


def _unselected(project: Project, path: str, found: list[Test], new: str) -> Iterator[Finding]:
    if any(run.selection.unread for run in runs(project)):
        return
    reasons = sorted({collects(project, run, path) for run in runs(project)} - {"not among its paths"})
    stem = path.rpartition("/")[2].removesuffix(".py")
    count = f"its {len(found)} tests run" if len(found) > 1 else "its test runs"
    why = ", ".join(reasons) if reasons else "it is not among the paths of any"
    yield Finding(
        path, 1, stem, f"No CI job selects this file, so {count} nowhere: {why}",
        "Name it test_*.py in a folder that a job collects, or add it to a job's script." if not is_test_file(
            path, project.profile["tests"]) else "Take it out of the --ignore of one job, or give it a job of its own.",
        text="file", severity=new, verify=f"torchrl-lint jobs {path}",
    )


def _cause(project: Project, test: Test) -> _Cause | None:
    need = needs(project, test)
    taking = [run for run in _distinct(project, test.path) if run.gpus >= need.gpus]
    if not need.packages and not need.variables:
        # The first job that takes it settles the matter.
        if any(not refusal(project, run, test) for run in taking):
            return None
    elif taking := [run for run in taking if not refusal(project, run, test)]:
        return _missing_things(project, test, need, taking)
    pairs = verdicts(project, test)
    labels: dict[str, dict[str, None]] = {}
    for run, reason in pairs:
        labels.setdefault(reason, {})[run.label] = None
    scripts = tuple(sorted({run.script for run, _ in pairs}))
    marker = project.profile["gpu"]["marker"]
    if need.gpus and f"deselected by -m {marker}" in labels:
        # The marker is all that it lacks, and gpu-marker-missing says so.
        return None
    for mark, option in NEEDS_OPTION.items():
        reason = f"skipped: {mark} without {option}"
        if reason in labels:
            return _Cause(
                mark, f"it is marked {mark}, and {_some(labels[reason])} {_verb(labels[reason], 'take')} it without {option}",
                f"Drop the mark, or let a job that takes the test pass {option}.", scripts=scripts,
            )
    most = max((run.gpus for run, reason in pairs if reason.startswith("skipped: needs")), default=None)
    if most is not None and need.gpus > most:
        jobs = dict.fromkeys(run.label for run, reason in pairs if reason.startswith("skipped: needs") and run.gpus == most)
        has = f"{most} GPU" + ("" if most == 1 else "s") if most else "no GPU"
        return _Cause(
            "gpus", f"it needs {need.gpus} GPUs and the runners of the jobs that collect it ({_some(jobs)}) have {has} by their label",
            "Give it a job on a runner with that many GPUs, or make it work with one.", scripts=scripts,
        )
    told = [f"{reason} ({_some(jobs)})" for reason, jobs in sorted(labels.items(), key=lambda item: "-m" not in item[0])]
    more = f" and {len(told) - _SHOWN} other selections leave it out" if len(told) > _SHOWN else ""
    return _Cause(
        "deselected", "; ".join(told[:_SHOWN]) + more, "Name it in the -k of the job that is meant to run it.", scripts=scripts,
    )


def _distinct(project: Project, path: str) -> list[Run]:
    """The runs that take a file, one of each kind, those without -k first."""
    key = ("distinct runs", path)
    if key not in project.memo:
        unique = {(run.selection, run.gpus, run.scripts): run for run in reversed(runs_of(project, path))}
        project.memo[key] = sorted(unique.values(), key=lambda run: bool(run.selection.keyword))
    return project.memo[key]


def _missing_things(project: Project, test: Test, need: Needs, taking: list[Run]) -> _Cause | None:
    """A variable or a package that no job which takes the test provides."""
    for name in sorted(need.variables):
        if not named_in_ci(project, name):
            return _Cause(
                "variable " + name, f"it runs only where {name} is set, and no workflow or script sets it",
                f"Set {name} in the job that is meant to run it, or drop the condition.",
            )
    for package in sorted(need.packages):
        if any(installs(project, run, package) for run in taking):
            continue
        others = [run for run, reason in verdicts(project, test) if "-k" in reason and installs(project, run, package)]
        if others:
            run = others[0]
            return _Cause(
                "package " + package,
                f"it needs {package}, which of the jobs that take the file only {_some(dict.fromkeys(other.label for other in others))} "
                f"{_verb(others, 'install')}, and -k {run.selection.keyword!r} leaves it out",
                f"Let the -k of {run.label} match it, or install {package} in a job that takes it.", scripts=(run.script,),
            )
        if named_in_ci(project, package, alive=True):
            # Some job installs it; whether it reaches these, with another package, cannot be told.
            continue
        for script in dead_scripts(project):
            if mentions(project, script.rpartition("/")[0], package):
                return _Cause(
                    "package " + package, f"it needs {package}, which only {script.rpartition('/')[0]} installs, and no workflow calls that",
                    "Add a job that calls the script, or delete test and script.", scripts=(script,),
                )
        if not named_in_ci(project, package):
            return _Cause(
                "package " + package, f"it needs {package}, which no CI script names; unless another package brings it, it is always skipped",
                f"Install {package} in a job that takes the test.", severity="advisory",
            )
    return None


def _marks(project: Project, path: str, found: list[Test]) -> Iterator[Finding]:
    known = registered(project)
    if not known:
        return
    known = known | _BUILTIN | _PLUGINS
    unknown: dict[str, Test] = {}
    for test in found:
        for name in sorted(set().union(*mark_sets(project, test)[0]) - known):
            unknown.setdefault(name, test)
    for name, test in unknown.items():
        yield Finding(
            path, test.line, test.symbol, f"The mark {name} is registered nowhere, so -m never selects it and pytest says so only as a warning",
            f"Correct it (registered: {', '.join(sorted(registered(project)))}), or register it in the pytest configuration.",
            text="mark " + name, also_touch=config_paths(project)[:1],
            verify=f"pytest --collect-only -q --strict-markers {path}",
        )


# Scripts

def _scripts(project: Project) -> Iterator[Finding]:
    dead = dead_scripts(project)
    seen = set()
    for run in [*runs(project), *[run for found in dead.values() for run in found]]:
        chosen = run.selection
        for given in (*chosen.paths, *chosen.ignores):
            path = given.partition("::")[0]
            top = path.partition("/")[0]
            if exists(project, path) or not exists(project, top) or (run.script, path) in seen or "*" in path or "\0" in path:
                continue
            seen.add((run.script, path))
            how = "ignores" if given in chosen.ignores else "gives pytest"
            yield Finding(
                run.script, run.script_line, path, f"The script {how} {path}, which is not in the tree",
                "Name the path that took its place, or delete the command." if how != "ignores" else "Delete the option, or name the new path.",
                text=f"{how} {path}",
            )
    for script in dead:
        yield Finding(
            script, 1, "/".join(script.split("/")[-2:]), "The script runs pytest, and no workflow calls it",
            "Call it from a job, or delete it.", text="not called",
        )


def _shards(project: Project) -> Iterator[Finding]:
    """Files that a job's shards leave out although they have the folder, and that other shards take."""
    sharded: dict[str, list[Run]] = {}
    single: list[Run] = []
    by_label: dict[str, list[Run]] = {}
    for run in runs(project):
        by_label.setdefault(run.label, []).append(run)
    for label, group in by_label.items():
        lists = {(run.variant, run.selection.paths) for run in group if run.selection.ignores or len(run.selection.paths) > 1}
        if len({variant for variant, _ in lists}) > 1:
            sharded[label] = group
        else:
            single += group
    files = [path for path in project.tree.paths(project.profile["tests"], ".py") if is_test_file(path, project.profile["tests"])]
    unions = {label: {path for path in files if any(collects_file(project, run, path) for run in group)} for label, group in sharded.items()}
    for label, group in sharded.items():
        for other, union in unions.items():
            for path in sorted(union - unions[label]):
                dropping = next((run for run in group if collects(project, run, path).startswith("left out by --ignore")), None)
                # A job of its own takes what the shards leave to it.
                if dropping is None or any(path in run.selection.paths for run in single):
                    continue
                unions[label].add(path)
                yield Finding(
                    dropping.script, dropping.script_line, path,
                    f"The shards of {label} leave out {path}: one ignores it and no other takes it, while {other} collects it",
                    "Add it to a shard, or give it a job of its own.", text=f"shard {path}", verify=f"torchrl-lint jobs {path}",
                )


def _lists(project: Project) -> Iterator[Finding]:
    """Scripts that keep one list of files each, when the lists differ a little."""
    lists: dict[str, dict[frozenset[str], int]] = {}
    for run in runs(project):
        if len(run.selection.paths) > 3:
            lists.setdefault(run.script, {}).setdefault(frozenset(run.selection.paths), run.script_line)
    scripts = sorted(lists)
    for position, one in enumerate(scripts):
        for two in scripts[position + 1:]:
            if lists[one].keys() & lists[two].keys():
                continue
            first, second = max(
                ((a, b) for a in lists[one] for b in lists[two]), key=lambda pair: len(pair[0] & pair[1]) / len(pair[0] | pair[1]),
            )
            if 2 * len(first & second) <= len(first | second):
                continue
            told = [f"{one} alone has {', '.join(sorted(first - second))}" if first - second else "",
                    f"{two} alone has {', '.join(sorted(second - first))}" if second - first else ""]
            yield Finding(
                two, lists[two][second], two.rpartition("/")[2], f"This list of test files and that of {one} differ: {'; '.join(filter(None, told))}",
                "Make the two lists the same.", text="lists", also_touch=(one,), derived_from=(one,),
            )


def _some(names: dict[str, None] | list[str]) -> str:
    names = list(names)
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def _verb(subjects: dict[str, None] | list, verb: str) -> str:
    return verb if len(subjects) > 1 else verb + "s"
