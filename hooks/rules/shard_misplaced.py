"""A new test starts processes in a file that CI gives to many workers at once.

What it protects: the runs that put every core to work. A test that starts processes, a Ray cluster or a batched environment
among them takes the cores of the others, so that it, or they, time out now and then. The scripts keep a list of files that run
one after another for such tests.

Only the first such test of a file is reported: where a file has had some for long, its place was chosen. A test that came from
another file of the same run is not new. That the lists of the scripts agree is judged by test-never-collected.

Bad: ``test/test_specs.py``, which the parallel shard collects, gets a test that builds a ``ParallelEnv``.

Good: the test stands in ``test/envs/test_parallel.py``, which is on the list.

How to fix: move the test to a file of the list, or put its file on the list in every script that has one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project.survival import fates
from ..project.tests import collected, is_test_file

SUMMARY = "A new test starts processes in a file that CI gives to many workers at once"
SEVERITY = "warning"
SECTION = "7"
CHANGE_RULE = True

_SHOWN = 3


def check(change: Change) -> Iterator[Finding]:
    project, before = change.project, change.before
    folder = project.profile["tests"]
    for path in change.judged_under(folder, ".py"):
        if not is_test_file(path, folder) or path not in change.changed:
            continue
        # Most changes touch no test, so what reads them is not imported for those.
        from ..project.processes import crowded, speaks_of_processes, starts

        former = change.renames.get(path, path)
        # A file that leaves the list by its new name brings all of its tests.
        stays = former in before.tree and (former == path or crowded(before, former))
        old = {test.symbol: test for test in collected(before, former)} if stays else {}
        added = [test for test in collected(project, path) if test.symbol not in old]
        # What costs least comes first: most changes add no such test.
        added = [(test, what) for test in added if (what := starts(project, test))]
        places = crowded(project, path) if added else None
        if places is None or (old and speaks_of_processes(before, former)):
            continue
        came = {(fate.new.path, fate.new.symbol): fate.old for fate in fates(change) if fate.new}
        run, other = places
        for test, what in added:
            home = came.get((test.path, test.symbol))
            if home is not None and crowded(before, home.path):
                continue
            files = list(other.selection.paths)
            more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
            yield Finding(
                test.path,
                test.line,
                test.symbol,
                f"The test starts processes ({what}), and {run.name} gives its file to many workers at once; "
                f"such tests run one after another in {other.name} ({', '.join(files[:_SHOWN])}{more})",
                f"Move it to one of these files, or put {path} on the list in {other.script}.",
                text=test.symbol,
                also_touch=(other.script,),
                derived_from=(other.script,),
                verify=f"torchrl-lint jobs {test.path}::{test.symbol}",
            )
            break
