"""An algorithm's folder that CI does not know.

What it protects: the implementation. What neither the release check nor the smoke list of the CI job
runs breaks unseen; a folder without a script and a Hydra configuration cannot be run at all.

An entry is the text ``sota-implementations/<folder>/`` in the file or folder of checks; names of scripts and
entries do not matter. A folder that the change adds is an error, one that stood there before a warning.

Bad: ``sota-implementations/my_algo/my_algo.py`` alone.

Good: ``my_algo.py`` and ``config.yaml`` in the folder, ``sota-check/run_my_algo.sh``, and a command in
``.github/unittest/linux_sota/scripts/test_sota.py`` that runs a few frames.

How to fix: add what is named as missing; the entries of a similar algorithm are the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project import Project

SUMMARY = "An algorithm's folder lacks its script, its Hydra config or its entries in the checks"
SEVERITY = "error"
SECTION = "7, 11"
REPEATABLE = True
NEEDS = ("algorithms",)


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    root, lists = project.profile["algorithms"], project.profile["algorithm-lists"]
    touched = {*change.judged, *change.changed}
    everything = any(path == place or path.startswith(place + "/") for path in touched for place in lists)
    concerned = {
        path.split("/")[len(root.split("/"))]
        for path in (project.tree.paths(root) if everything else touched)
        if path.startswith(root + "/") and path.count("/") > root.count("/") + 1
    }
    for name in sorted(concerned):
        folder = f"{root}/{name}"
        files = project.tree.paths(folder)
        if not any(path.endswith((".py", ".yaml", ".yml")) for path in files):
            continue
        lacking = [
            *_parts(files, folder),
            *(f"entry in {place}" for place in lists if name not in _named(project, place, root)),
        ]
        if lacking:
            old = change.before is None or bool(change.before.tree.paths(folder))
            yield Finding(
                folder,
                None,
                name,
                f"{folder} has no {' and no '.join(lacking)}",
                "Add what is missing, after the model of a similar algorithm.",
                text=", ".join(lacking),
                severity="warning" if old else "",
                derived_from=tuple(files),
                also_touch=tuple(place for place in lists if f"entry in {place}" in lacking),
            )


def _parts(files: list[str], folder: str) -> Iterator[str]:
    if not any(path.endswith(".py") and path.rpartition("/")[0] == folder for path in files):
        yield "script"
    if not any(path.endswith((".yaml", ".yml")) for path in files):
        yield "Hydra configuration"


def _named(project: Project, place: str, root: str) -> set[str]:
    """Folders of algorithms that a file, or the files of a folder, run something from."""
    key = ("algorithms in", place)
    if key not in project.memo:
        texts = (
            project.tree.read(path) or b"" for path in ([place] if place in project.tree else project.tree.paths(place))
        )
        pattern = re.compile(rf"{re.escape(root)}/([^/\s\"']+)/".encode())
        project.memo[key] = {name.decode() for text in texts for name in pattern.findall(text)}
    return project.memo[key]
