"""The labels that a pull request gets for the files that it changes.

What it protects: the jobs that only a label brings. Labels decide which environments, datasets and language-model
jobs run; set by a workflow on the first push they start nothing, because the event of that push is older than
they are. Set by hand before the push they do.

The list is what the target's own ``labeler.yml`` gives for the changed files (deleted files and both names of a renamed one
count), the label of the title's tag by ``auto-tag.yml`` where a title is known, and what the labeler forgets: the label
that gates the job whose CI folder or library file the change touches.

Bad: a change to torchrl/envs/libs/brax.py, pushed without ``Environments/brax``: the brax job does not run.

Good: ``gh pr create --label Environments/brax ...``.

How to fix: set the labels when the pull request is opened; ``torchrl-lint labels`` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project.labeler import asked, config_path
from ..project.labels import forgotten, titled

SUMMARY = "A label that the changed files call for"
SEVERITY = "advisory"
SECTION = "7b"
CHANGE_RULE = True

_SHOWN = 30


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    files = sorted(change.changed)
    found = asked(project, files)
    for item in found:
        yield _finding(
            change, item.label, item.files, f"{config_path(project)}:{item.line} sets it for {_some(item.files)}"
        )
    known = {item.label for item in found}
    # Without a labeler nothing is forgotten.
    for label, paths, why in forgotten(project, files, sorted(known)) if config_path(project) in project.tree else ():
        if label not in known:
            known.add(label)
            yield _finding(
                change, label, paths, f"{config_path(project)} does not set it for {_some(paths)}, and {why}"
            )
    title = titled(project, change.pull_request.title) if change.pull_request.title and files else None
    if title is not None and title.label not in known:
        yield _finding(
            change, title.label, (title.path,), f"{title.path}:{title.line} sets it for the title's tag [{title.tag}]"
        )


def _finding(change: Change, label: str, files: tuple[str, ...], why: str) -> Finding:
    path = files[0]
    return Finding(
        path,
        1 if path in change.project.tree else None,
        label,
        why,
        "Where a job waits for it, set it before you push: adding one later starts nothing.",
        text=label,
        derived_from=files,
    )


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
