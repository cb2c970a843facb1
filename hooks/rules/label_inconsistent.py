"""Labels, the files that set and define them, and the jobs that wait for them do not agree.

What it protects: jobs that would silently never run. A label that nothing sets or defines, a path that matches no
file, a condition that no event meets: nothing fails, and nothing runs.

Judged as a whole where a change touches the CI folder, or deletes a file that a glob was written for; of that only what is
new is reported. Workflows and label files are read as YAML, so each finding has its line.

* a label that a job waits for and that no label file defines, or that nothing sets although its family is set
* a label that the labeler or a title's tag sets and that no label file defines, or defines in other letters
* a label that is described as starting jobs and that no job waits for
* a glob of the labeler that matches no file, a glob with a backslash, a regular expression that is none, entries in the
  syntax of the labeler's version 4, what is no YAML at all
* ``github.event_name == 'workflow_call'``, which is never true (it is the caller's event), and conditions of a job that no
  event of its workflow meets
* a script that nothing calls
* a test file whose label starts none of the jobs that run it although another label does, and a file about a package that
  no job installs, whose label therefore brings nothing that tries it
* a text that advises to run a workflow again after a label was set, which shows it the old labels, and tags that are said
  to be case-sensitive and are not (advisories)

Bad: ``if: contains(github.event.pull_request.labels.*.name, 'Environments/new')`` and no such label in labels.yml.

Good: the label is defined in labels.yml and set by labeler.yml for the file that the job is about.

How to fix: define the label, correct the path or the condition, or delete what nothing uses.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ..change import Change
from ..finding import Finding
from ..project import Project
from ..project.ci import ci_folder
from ..project.families import strays
from ..project.globs import matches
from ..project.label_files import created, listed
from ..project.labeler import config_path, globs
from ..project.labels import gating, tags
from ..project.uncalled import never, uncalled
from ._label_claims import claims, speaks_of_labels

SUMMARY = "Labels, what sets them, and the jobs that wait for them do not agree"
SEVERITY = "warning"
SECTION = "7b"
REPEATABLE = True
NEEDS = ("workflows",)

_SHOWN = 3


def check(change: Change) -> Iterator[Finding]:
    project = change.project
    folder = ci_folder(project) + "/"
    gone = any(path not in project.tree for path in change.changed)
    if change.everything or any(speaks_of_labels(project, path) for path in change.judged):
        yield from claims(project)
    if not (change.everything or gone or any(path.startswith(folder) for path in change.judged)):
        return
    yield from _labeler(project)
    if change.everything or any(path.startswith(folder) for path in (*change.judged, *change.changed)):
        yield from _strays(project)
        yield from _gates(project)
        yield from _set(project)
        yield from _described(project)
        yield from _scripted(project)
        yield from _narrows(project)
        yield from _conditions(project)
        yield from _scripts(project)


def _labeler(project: Project) -> Iterator[Finding]:
    path = config_path(project)
    facts = project.labels(path)
    if facts is None:
        return
    if facts.failure is not None:
        yield Finding(
            path,
            facts.failure.line,
            posixpath.basename(path),
            f"This is no configuration of the labeler: {facts.failure.message}",
            "Correct it: until then no label is set.",
            text="failure",
            column=facts.failure.column,
        )
    for fault in facts.faults:
        then = "The labeler fails on it and sets no label at all." if fault.stops else "The labeler goes on without it."
        yield Finding(path, fault.line, fault.label, fault.message, then, text=fault.message)
    for label, glob, line in globs(facts):
        if "\\" not in glob and not any(matches(glob, each) for each in project.tree.blobs):
            yield Finding(
                path,
                line,
                label,
                f"{glob!r} matches no file of the tree, so it never sets {label}",
                "Correct the path, or delete it.",
                text=f"glob {glob}",
            )


def _gates(project: Project) -> Iterator[Finding]:
    defined = {**created(project), **listed(project)}
    applied = _applied(project)
    seen = set()
    for item in gating(project):
        if item.label in seen:
            continue
        seen.add(item.label)
        if defined and item.label not in defined:
            yield Finding(
                item.workflow,
                item.line,
                item.label,
                f"The job {item.job} waits for {item.label}, which no label file defines",
                f"Add {item.label} to {next(iter(defined.values())).path}.",
                text="undefined",
            )
        family = item.label.partition("/")[0]
        if item.label not in applied and "/" in item.label and any(name.startswith(family) for name in applied):
            yield Finding(
                item.workflow,
                item.line,
                item.label,
                f"The job {item.job} waits for {item.label}, which nothing sets, although others of {family} are set",
                f"Add it to {config_path(project)}.",
                text="unset",
            )
        if not item.exact and any(other.exact and other.workflow != item.workflow for other in gating(project)):
            longer = [name for name in (*defined, *applied) if item.label in name and name != item.label]
            if longer:
                yield Finding(
                    item.workflow,
                    item.line,
                    item.label,
                    f"{item.label} is looked for in all labels joined, so {_some(sorted(set(longer)))} starts the job {item.job}, too",
                    "If that is not meant, compare whole labels: contains(github.event.pull_request.labels.*.name, ...).",
                    text="substring",
                    severity="advisory",
                )


def _set(project: Project) -> Iterator[Finding]:
    defined = listed(project)
    small = {name.lower(): name for name in defined}
    facts = project.labels(config_path(project))
    places = [(label.name, config_path(project), label.line, "The labeler") for label in facts.labels] if facts else []
    places += [(item.label, item.path, item.line, f"The title's tag [{item.tag}]") for item in tags(project)]
    seen = set()
    for label, path, line, who in places if defined else ():
        if label in defined or label in seen:
            continue
        seen.add(label)
        other = small.get(label.lower())
        which = f"which is defined as {other}" if other else "which no label file defines"
        yield Finding(
            path,
            line,
            label,
            f"{who} sets {label}, {which}",
            f"Add {label} to {next(iter(defined.values())).path}" + (f", or write {other}." if other else "."),
            text="set",
        )


def _described(project: Project) -> Iterator[Finding]:
    gates = [item for item in gating(project) if not item.negated]
    for item in (
        *listed(project).values(),
        *[each for name, each in created(project).items() if name not in listed(project)],
    ):
        waited = any(
            item.name.lower() == each.label.lower() if each.exact else each.label.lower() in item.name.lower()
            for each in gates
        )
        if "trigger" in item.description.lower() and not waited:
            yield Finding(
                item.path,
                item.line,
                item.name,
                f"{item.name} is described as starting jobs ({item.description!r}), and no job waits for it",
                "Correct the description, or delete the label.",
                text="described",
            )


def _scripted(project: Project) -> Iterator[Finding]:
    by_script, by_list = created(project), listed(project)
    families = {name.partition("/")[0] for name in by_script if "/" in name}
    for name, item in by_list.items():
        if name not in by_script and "/" in name and name.partition("/")[0] in families:
            script = next(iter(by_script.values())).path
            yield Finding(
                item.path,
                item.line,
                name,
                f"{script} creates others of {name.partition('/')[0]} and not {name}",
                f"Create it in {script}, too.",
                text="not created",
                also_touch=(script,),
            )


def _narrows(project: Project) -> Iterator[Finding]:
    """A label whose globs match all files of its sub-labels and that starts all of their jobs: they narrow nothing."""
    facts = project.labels(config_path(project))
    exact = [item for item in gating(project) if item.exact and not item.negated]
    waits = {
        label: {(item.workflow, item.job) for item in exact if item.label == label}
        for label in {item.label for item in exact}
    }
    known: dict[str, list[str]] = {}
    for label, glob, _ in globs(facts) if facts else ():
        known.setdefault(label, []).append(glob)
    for label in facts.labels if facts else ():
        subs = [
            name
            for name in known
            if name.startswith(label.name + "/") and waits.get(name, set()) & waits.get(label.name, set())
        ]
        files = {
            name: [path for path in project.tree.blobs if any(matches(glob, path) for glob in known[name])]
            for name in subs
        }
        without = [
            name
            for name in subs
            if files[name]
            and waits[name] <= waits.get(label.name, set())
            and all(any(matches(glob, path) for glob in known[label.name]) for path in files[name])
        ]
        if without:
            yield Finding(
                config_path(project),
                label.line,
                label.name,
                f"{label.name} is set with each of {_some(without)} and starts all of their jobs, so these narrow nothing",
                f"Leave the files of its sub-labels out of {label.name}, or delete the sub-labels.",
                text="narrows",
                severity="advisory",
            )


def _strays(project: Project) -> Iterator[Finding]:
    for item in strays(project):
        if item.package:
            told = f"and no job installs {item.package}, which it is about"
            hint = f"Give {item.package} a job, or take the file out of {item.label}."
        else:
            told = f"and of the jobs that wait for a label only those of {_some(item.wanted)} run its tests ({_some(item.jobs)})"
            hint = f"Set {item.wanted[0]} for it."
        yield Finding(
            config_path(project),
            item.line,
            item.label,
            f"{item.label} is set for {item.path}, {told}",
            hint,
            text=f"stray {item.path}",
            severity="advisory" if item.package else "",
            derived_from=(item.path,),
        )


def _conditions(project: Project) -> Iterator[Finding]:
    for item in never(project):
        where = f"of {_some(item.jobs)}" if not item.whole else f"of {item.jobs[0]}, which therefore never runs"
        hint = "Leave it out, or name the events of the workflow."
        if "workflow_call" in item.text and not item.whole:
            hint = (
                "In a called workflow github.event_name is the event of its caller; name that, for example 'schedule'."
            )
        yield Finding(
            item.path,
            item.line,
            item.text,
            f"{item.text} can never be true in the condition {where}",
            hint,
            text=item.text,
        )


def _scripts(project: Project) -> Iterator[Finding]:
    for folder, scripts in uncalled(project).items():
        names = [posixpath.basename(path) for path in scripts]
        symbol = scripts[0] if len(scripts) == 1 else folder
        yield Finding(
            scripts[0],
            1,
            symbol,
            f"Nothing calls {_some(names)} of {folder}",
            "Call it from a job, or delete it.",
            text=f"uncalled {' '.join(names)}",
            also_touch=tuple(scripts[1:]),
        )


def _applied(project: Project) -> set[str]:
    facts = project.labels(config_path(project))
    return {label.name for label in (facts.labels if facts else ())} | {item.label for item in tags(project)}


def _some(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
