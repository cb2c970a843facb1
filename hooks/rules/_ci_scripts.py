"""What is wrong with CI's scripts themselves, for ``test-never-collected``."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Finding
from ..project import Project
from ..project.ci import Run, dead_scripts, exists, runs
from ..project.jobs import collects, collects_file
from ..project.tests import is_test_file


def lost_paths(project: Project) -> Iterator[Finding]:
    """Paths that a script gives to pytest and the tree does not have, and scripts that no workflow calls."""
    dead = dead_scripts(project)
    seen = set()
    for run in [*runs(project), *[run for found in dead.values() for run in found]]:
        chosen = run.selection
        for given in (*chosen.paths, *chosen.ignores):
            path = given.partition("::")[0]
            top = path.partition("/")[0]
            known = exists(project, path) or not exists(project, top) or "*" in path or "\0" in path
            if known or (run.script, path) in seen:
                continue
            seen.add((run.script, path))
            how, hint = "gives pytest", "Name the path that took its place, or delete the command."
            if given in chosen.ignores:
                how, hint = "ignores", "Delete the option, or name the path that took its place."
            yield Finding(
                run.script,
                run.script_line,
                path,
                f"The script {how} {path}, which is not in the tree",
                hint,
                text=f"{how} {path}",
            )
    for script in dead:
        yield Finding(
            script,
            1,
            "/".join(script.split("/")[-2:]),
            "The script runs pytest, and no workflow calls it",
            "Call it from a job, or delete it.",
            text="not called",
        )


def shards(project: Project) -> Iterator[Finding]:
    """Files that a job's shards leave out although they have the folder, and that other shards take."""
    sharded: dict[str, list[Run]] = {}
    single: list[Run] = []
    by_label: dict[str, list[Run]] = {}
    for run in runs(project):
        by_label.setdefault(run.label, []).append(run)
    for label, group in by_label.items():
        lists = {
            (run.variant, run.selection.paths) for run in group if run.selection.ignores or len(run.selection.paths) > 1
        }
        if len({variant for variant, _ in lists}) > 1:
            sharded[label] = group
        else:
            single += group
    folder = project.profile["tests"]
    files = [path for path in project.tree.paths(folder, ".py") if is_test_file(path, folder)]
    unions = {
        label: {path for path in files if any(collects_file(project, run, path) for run in group)}
        for label, group in sharded.items()
    }
    for label, group in sharded.items():
        for other, union in unions.items():
            for path in sorted(union - unions[label]):
                dropping = next(
                    (run for run in group if collects(project, run, path).startswith("left out by --ignore")), None
                )
                # A job of its own takes what the shards leave to it.
                if dropping is None or any(path in run.selection.paths for run in single):
                    continue
                unions[label].add(path)
                yield Finding(
                    dropping.script,
                    dropping.script_line,
                    path,
                    f"The shards of {label} leave out {path}: one ignores it and no other takes it, while {other} collects it",
                    "Add it to a shard, or give it a job of its own.",
                    text=f"shard {path}",
                    verify=f"torchrl-lint jobs {path}",
                )


def lists(project: Project) -> Iterator[Finding]:
    """Scripts that keep one list of files each, when the lists differ a little."""
    found: dict[str, dict[frozenset[str], int]] = {}
    for run in runs(project):
        if len(run.selection.paths) > 3:
            found.setdefault(run.script, {}).setdefault(frozenset(run.selection.paths), run.script_line)
    scripts = sorted(found)
    for position, one in enumerate(scripts):
        for two in scripts[position + 1 :]:
            if found[one].keys() & found[two].keys():
                continue
            pairs = [(first, second) for first in found[one] for second in found[two]]
            first, second = max(pairs, key=lambda pair: len(pair[0] & pair[1]) / len(pair[0] | pair[1]))
            if 2 * len(first & second) <= len(first | second):
                continue
            told = [
                f"{script} alone has {', '.join(sorted(extra))}"
                for script, extra in ((one, first - second), (two, second - first))
                if extra
            ]
            yield Finding(
                two,
                found[two][second],
                two.rpartition("/")[2],
                f"This list of test files and that of {one} differ: {'; '.join(told)}",
                "Make the two lists the same.",
                text="lists",
                also_touch=(one,),
                derived_from=(one,),
            )
