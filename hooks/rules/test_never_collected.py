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

from ..change import Change
from ..finding import Finding
from ..project import Project
from ..project.ci import ci_folder, incomplete, runs
from ..project.jobs import collects, mark_sets, runs_of
from ..project.pytest_config import config_paths, registered
from ..project.tests import Test, collected, is_test_file
from ..project.uncollected import Cause, cause
from . import _ci_scripts

SUMMARY = "No CI job runs the test"
SEVERITY = "warning"
SECTION = "7a"
REPEATABLE = True

_BUILTIN = {"parametrize", "skip", "skipif", "xfail", "usefixtures", "filterwarnings"}
# Marks that pytest's common plugins register themselves.
_PLUGINS = {
    "anyio",
    "asyncio",
    "benchmark",
    "dependency",
    "flaky",
    "forked",
    "isolate",
    "order",
    "repeat",
    "rerun",
    "run",
    "timeout",
    "trio",
    "xdist_group",
}
_SHOWN = 3


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    folder = project.profile["tests"]
    # What a job runs may change for every test when a workflow or one of its scripts does.
    ci = [path for path in change.judged if path.startswith(ci_folder(project) + "/") or path in config_paths(project)]
    if not runs(project) or incomplete(project):
        return
    for path in project.tree.paths(folder, ".py") if ci else change.with_importers(folder):
        yield from _file(change, path)
    if ci:
        yield from _ci_scripts.lost_paths(project)
        yield from _ci_scripts.shards(project)
        yield from _ci_scripts.lists(project)


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
    groups: dict[str, list[tuple[Test, Cause]]] = {}
    sizes: Counter[str] = Counter()
    for test in found:
        owner = test.symbol.rpartition("::")[0]
        sizes[owner] += 1
        found_cause = cause(project, test)
        if found_cause is not None:
            groups.setdefault(owner, []).append((test, found_cause))
    for owner, pairs in groups.items():
        kind = Counter(why.kind for _, why in pairs).most_common(1)[0][0]
        chosen = [(test, why) for test, why in pairs if why.kind == kind]
        yield _finding(path, owner, chosen, sizes[owner], new)


def _finding(path: str, owner: str, chosen: list[tuple[Test, Cause]], size: int, new: str) -> Finding:
    first, why = chosen[0]
    every = len(chosen) == size and bool(first.classes)
    # The class where the whole class is meant, else its first test.
    line = first.classes[0][1].line if every else first.line
    names = [test.symbol.rpartition("::")[2] for test, _ in chosen]
    shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
    subject = f"all {size} tests of {owner}" if every and size > 1 else shown
    symbol = owner or (names[0] if len(names) == 1 else path.rpartition("/")[2].removesuffix(".py"))
    return Finding(
        path,
        line,
        symbol,
        f"No CI job runs {subject}: {why.message}",
        why.hint,
        text=why.kind,
        severity=why.severity or new,
        derived_from=why.scripts,
        verify=f"torchrl-lint jobs {path}::{first.symbol}",
    )


def _unselected(project: Project, path: str, found: list[Test], new: str) -> Iterator[Finding]:
    reasons = sorted({collects(project, run, path) for run in runs(project)} - {"not among its paths"})
    stem = path.rpartition("/")[2].removesuffix(".py")
    count = f"its {len(found)} tests run" if len(found) > 1 else "its test runs"
    why = ", ".join(reasons) if reasons else "it is not among the paths of any"
    hint = "Take it out of the --ignore of one job, or give it a job of its own."
    if not is_test_file(path, project.profile["tests"]):
        hint = "Name it test_*.py in a folder that a job collects, or add it to a job's script."
    yield Finding(
        path,
        1,
        stem,
        f"No CI job selects this file, so {count} nowhere: {why}",
        hint,
        text="file",
        severity=new,
        verify=f"torchrl-lint jobs {path}",
    )


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
            path,
            test.line,
            test.symbol,
            f"The mark {name} is registered nowhere: a misspelt mark selects nothing, and pytest only warns",
            f"Correct it (registered: {', '.join(sorted(registered(project)))}), or register it in the pytest configuration.",
            text="mark " + name,
            also_touch=config_paths(project)[:1],
            verify=f"pytest --collect-only -q --strict-markers {path}",
        )
