"""Which CI job collects which test, read from the workflows and the scripts that they call."""

from __future__ import annotations

import fnmatch
import posixpath
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from ..facts.records_ci import Job, Script, Step, Trigger, Workflow
from ..facts.workflow import MARK
from . import Project, github, tests
from .interpreter import ROOT, UNKNOWN, Command, Interpreter
from .select import Selection, matches, names, selection
from .tests import Test

PULL_REQUEST, PUSH, NIGHTLY, DISPATCH, RELEASE = "pull request", "push", "nightly", "dispatch", "release"

_EVENTS = {
    "pull_request": PULL_REQUEST, "pull_request_target": PULL_REQUEST, "schedule": NIGHTLY,
    "workflow_dispatch": DISPATCH,
}
_REF = {PULL_REQUEST: "refs/pull/1/merge", PUSH: "refs/heads/main", NIGHTLY: "refs/heads/main"}
# GPUs of an instance type; a type that is not listed has one.
_GPUS = {
    "g4dn.12xlarge": 4, "g4dn.metal": 8, "g5.12xlarge": 4, "g5.24xlarge": 4, "g5.48xlarge": 8, "g6.12xlarge": 4,
    "g6.24xlarge": 4, "g6.48xlarge": 8, "g6e.12xlarge": 4, "g6e.24xlarge": 4, "g6e.48xlarge": 8, "p3.8xlarge": 4,
    "p3.16xlarge": 8, "p4d.24xlarge": 8, "p4de.24xlarge": 8, "p5.48xlarge": 8,
}
_CONFIGS = (
    ("pytest.ini", "pytest"), ("pyproject.toml", "tool.pytest.ini_options"), ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest"),
)
NEEDS_OPTION = {"slow": "--runslow", "unity_editor": "--unity_editor"}
"""Marks whose tests ``conftest.py`` skips without an option."""


class Gate(NamedTuple):
    """When a job runs.

    Args:
        event: one of the constants above, or the name of another GitHub event.
        labels: a pull request needs one of these; "llm/*" stands for any label with "llm/" in it.
        without: and none of these.
        paths: and changes a file that one of these globs matches.
    """

    event: str
    labels: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


class Run(NamedTuple):
    """One pytest command of one variant of a job.

    Args:
        label: the job's name, with its workflow's where that alone says too little.
        variant: values of the matrix in the order of the file, as GitHub shows them after the job's name.
        workflow: path; ``line`` is the job's.
        script: the file with the command, the workflow itself where it stands there; ``script_line`` is the command's.
        gpus: by runner label; 0 is a CPU host.
        folder: where pytest runs.
        scripts: every script that the job runs, its set-up included.
    """

    label: str
    variant: tuple[str, ...]
    job: str
    workflow: str
    line: int
    script: str
    script_line: int
    gates: tuple[Gate, ...]
    runner: str
    gpus: int
    folder: str
    selection: Selection
    scripts: tuple[str, ...]

    @property
    def name(self) -> str:
        """``tests-cpu (3.10, bulk)``."""
        return f"{self.label} ({', '.join(self.variant)})" if self.variant else self.label

    @property
    def events(self) -> tuple[str, ...]:
        return tuple([gate.event for gate in self.gates])

    def on(self, event: str) -> Gate | None:
        """When the job runs on an event, or None where it does not."""
        return next((gate for gate in self.gates if gate.event == event), None)


def runs(project: Project) -> tuple[Run, ...]:
    """Every pytest command of every job, in the order of the files; computed once for a project."""
    if "runs" not in project.memo:
        project.memo["runs"] = tuple(_runs(project))
    return project.memo["runs"]


def collects(
    project: Project, run: Run, path: str, symbol: str = "", marks: Iterable[str] = (), parameters: str = ""
) -> str:
    """Why a run does not execute a test; "" where it does, or may.

    Args:
        path: the test's file.
        symbol: ``Class::test``, ``Class``, ``test``, or "" for the file as a whole.
        marks: names of its marks.
        parameters: source of its parameter lists, which ``-k`` may match too.
    """
    reason = _by_path(project, run, path, symbol)
    return reason or (_by_name(run, path, symbol, frozenset(marks), parameters) if symbol else "")


def collects_file(project: Project, run: Run, path: str) -> bool:
    """Whether the paths of a run select anything in a file; ``-k`` and ``-m`` are not asked."""
    return not _by_path(project, run, path, "")


def runs_of(project: Project, path: str) -> list[Run]:
    """The runs whose paths select anything in a file."""
    key = ("runs", path)
    if key not in project.memo:
        project.memo[key] = [run for run in runs(project) if collects_file(project, run, path)]
    return project.memo[key]


def refusal(project: Project, run: Run, test: Test) -> str:
    """Why a run that takes a test's file executes no row of the test; "" where it executes some, or may."""
    chosen = run.selection
    if chosen.deselects or any("::" in path for path in chosen.paths):
        reason = _by_path(project, run, test.path, test.symbol)
        if reason:
            return reason
    sets, parameters = mark_sets(project, test)
    reasons = [_by_name(run, test.path, test.symbol, names, parameters) for names in sets]
    return "" if "" in reasons else reasons[0]


def mark_sets(project: Project, test: Test) -> tuple[list[frozenset[str]], str]:
    """The sets of marks that the rows of a test have, and the source of its parameter lists."""
    key = ("mark sets", test.path, test.symbol, test.line)
    if key not in project.memo:
        found = tests.marks(project, test)
        owners = [test.function, *[cls for _, cls in test.classes]]
        texts = [item.text for owner in owners for item in owner.decorators if "parametrize" in item.text]
        sets = {frozenset([mark.name for mark in found])}
        if any("marks" in text for text in texts):
            for mark in found:
                rows = (tests.rows(mark) if mark.name == "parametrize" else None) or []
                added = {frozenset([other.name for other in tests.row_marks(project, row, mark)]) for row in rows}
                sets = {names | more for names in sets for more in added or {frozenset()}}
        project.memo[key] = sorted(sets, key=sorted), "\n".join(texts)
    return project.memo[key]


def exempts(
    project: Project, run: Run, path: str, symbol: str, marks: Iterable[str] = (), parameters: str = ""
) -> bool:
    """Whether a run makes the GPU marker of a test needless: on a GPU host, no ``-m``, the test selected.

    Jobs that the profile names as not exempting never do.
    """
    return (
        run.gpus > 0 and not run.selection.marker and run.job not in project.profile["gpu"]["not-exempting"]
        and not collects(project, run, path, symbol, marks, parameters)
    )


def filters_by(project: Project, mark: str) -> bool:
    """Whether some job selects only tests with a mark, as ``-m gpu`` does."""
    return any(
        mark in names(run.selection.marker)
        and matches(run.selection.marker, lambda name: name == mark) is True
        and matches(run.selection.marker, lambda name: False) is False
        for run in runs(project)
    )


def incomplete(project: Project) -> bool:
    """Whether some workflow, or a script that runs pytest, could not be read: what is collected is then not known."""
    folder = project.profile["workflows"]
    for path in project.tree.paths(folder):
        if path.endswith((".yml", ".yaml")):
            facts = project.workflow(path)
            if facts is None or facts.failure is not None or any(
                step.script and step.script.pytest and step.script.opaque for job in facts.jobs for step in job.steps
            ):
                return True
    called = {path for run in runs(project) for path in (run.script, *run.scripts) if path.endswith(".sh")}
    facts = [project.script(path) for path in called]
    return any(found is None or (found.pytest and found.opaque) for found in facts)


def dead_scripts(project: Project) -> dict[str, list[Run]]:
    """Scripts with a pytest command that no workflow calls, and what they would run."""
    if "dead scripts" not in project.memo:
        called = {path for run in runs(project) for path in (run.script, *run.scripts)}
        reader = _Reader(project, {})
        found: dict[str, list[Run]] = {}
        for path in project.tree.paths(".github", ".sh"):
            facts = project.script(path) if path not in called else None
            if facts is not None and facts.pytest:
                commands = reader.alone(path, facts)
                if commands:
                    found[path] = [Run("", (), "", "", 1, path, command.line, (), "", 0, command.folder, command.selection, ())
                                   for command in commands]
        project.memo["dead scripts"] = found
    return project.memo["dead scripts"]


def exists(project: Project, path: str) -> bool:
    """Whether a path is a file or a folder of the tree."""
    if "folders" not in project.memo:
        project.memo["folders"] = _folders(project)
    return path in project.tree or path in project.memo["folders"]


def _folders(project: Project) -> set[str]:
    folders = {"."}
    for path in project.tree.blobs:
        while (path := posixpath.dirname(path)) and path not in folders:
            folders.add(path)
    return folders


def gpus(label: str) -> int:
    """How many GPUs a runner has, by its label.

    Returns:
        0 for a host without.
    """
    if "gpu" not in label.lower():
        return 0
    kind = re.search(r"\b([gp]\d\w*\.(?:\d*xlarge|metal))", label)
    return _GPUS.get(kind[1], 1) if kind else 1


# Selection

def _by_name(run: Run, path: str, symbol: str, marks: frozenset[str], parameters: str) -> str:
    """What ``-m``, ``-k`` and the marks that need an option say."""
    chosen = run.selection
    if chosen.marker and matches(chosen.marker, marks.__contains__) is False:
        return f"deselected by -m {shlex.quote(chosen.marker)}"
    if chosen.keyword and matches(chosen.keyword, _keywords(path, symbol, marks, parameters)) is False:
        return f"deselected by -k {shlex.quote(chosen.keyword)}"
    for mark, option in NEEDS_OPTION.items():
        if mark in marks and option not in chosen.options:
            return f"skipped: {mark} without {option}"
    return ""


def _by_path(project: Project, run: Run, path: str, symbol: str) -> str:
    chosen = run.selection
    node = f"{path}::{symbol}" if symbol else path
    named = selected = False
    for given in chosen.paths or _defaults(project, run):
        if "*" in given or "?" in given:
            matched = fnmatch.fnmatchcase(path, given.partition("::")[0])
            named |= matched
            selected |= matched
            continue
        if given.partition("::")[0] == path:
            # An id selects itself and what is below it.
            selected |= not symbol or _within(node, given) or given.startswith(node + "::")
            named = True
        elif given == "." or path.startswith(given.rstrip("/") + "/"):
            selected = True
    if not selected:
        return "" if chosen.unread else "not among its paths"
    if not named:
        pattern = next((given for given in chosen.ignores if path == given or path.startswith(given.rstrip("/") + "/")), None)
        pattern = pattern or next((given for given in chosen.ignore_globs if fnmatch.fnmatchcase(path, given)), None)
        if pattern is not None:
            return f"left out by --ignore {pattern}"
        if not any(fnmatch.fnmatchcase(posixpath.basename(path), pattern) for pattern in _config(project)["python_files"]):
            return "its name is not a test file's"
    for given in chosen.deselects:
        if _within(node, given.partition("[")[0]) and "[" not in given:
            return f"left out by --deselect {given}"
    return ""


def _within(node: str, given: str) -> bool:
    given = given.partition("[")[0]
    return node == given or node.startswith(given + "::")


def _keywords(path: str, symbol: str, marks: frozenset[str], parameters: str) -> Any:
    """What ``-k`` looks at: names of folders, file, class, function and marks, and parameter ids."""
    known = [part.lower() for part in (*path.split("/"), *symbol.split("::"), *marks)]
    parameters = parameters.lower()

    def holds(name: str) -> bool | None:
        name = name.lower()
        if any(name in part for part in known):
            return True
        stem, bracket, inner = name.partition("[")
        if bracket:
            # "test_x[unity]" can be told only as far as the bracket.
            return None if "parametrize" in marks and known[-1 - len(marks)].endswith(stem) else False
        return None if parameters and name in parameters else False

    return holds


def _defaults(project: Project, run: Run) -> tuple[str, ...]:
    return (run.folder,) if run.folder not in ("", ".") else tuple(_config(project)["testpaths"]) or (".",)


def _config(project: Project) -> dict[str, list[str]]:
    """What the tree's pytest configuration says about collection."""
    if "pytest" not in project.memo:
        found: dict[str, list[str]] = {"testpaths": [], "python_files": [], "addopts": [], "markers": [], "path": []}
        for path, section in _CONFIGS:
            text = project.text(path) if path in project.tree else None
            if text is None or f"[{section}]" not in text:
                continue
            table = _toml(text) if path.endswith(".toml") else _ini(text, section)
            for key in ("testpaths", "python_files", "addopts", "markers"):
                given = table.get(key, "")
                if isinstance(given, str):
                    given = given.splitlines() if key == "markers" else _split(given)
                found[key] = [item.strip() for item in given if item.strip()]
            found["path"] = [path]
            break
        found["python_files"] = found["python_files"] or ["test_*.py", "*_test.py"]
        project.memo["pytest"] = found
    return project.memo["pytest"]


def registered(project: Project) -> set[str]:
    """Names of the marks that the pytest configuration or a ``conftest.py`` registers."""
    if "registered" not in project.memo:
        project.memo["registered"] = _registered(project)
    return project.memo["registered"]


def _registered(project: Project) -> set[str]:
    lines = list(_config(project)["markers"])
    for path in project.tree.paths(project.profile["tests"], "conftest.py"):
        lines += re.findall(r"addinivalue_line\(\s*[\"']markers[\"'],\s*[\"']([^\"']+)", project.text(path) or "")
    return {re.split(r"[:(]", line)[0].strip() for line in lines}


def config_paths(project: Project) -> tuple[str, ...]:
    """The files in which pytest is configured, the one that counts first."""
    return tuple(path for path, _ in _CONFIGS if path in project.tree and path in _config(project)["path"])


def _ini(text: str, section: str) -> dict[str, str]:
    from configparser import ConfigParser, Error

    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except Error:
        return {}
    return dict(parser[section]) if section in parser else {}


def _toml(text: str) -> dict[str, Any]:
    try:
        import tomllib
    except ModuleNotFoundError:
        import tomli as tomllib
    try:
        return tomllib.loads(text)["tool"]["pytest"]["ini_options"]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        return {}


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return text.split()


# Jobs

class _Entry(NamedTuple):
    """One way into a workflow: the event that started it and the jobs that called it."""

    gate: Gate
    event: str
    inputs: tuple[tuple[str, str], ...]
    callers: tuple[tuple[Job, _Entry], ...] = ()


def _runs(project: Project) -> Iterator[Run]:
    folder = project.profile["workflows"]
    workflows: dict[str, Workflow] = {}
    for path in project.tree.paths(folder):
        if path.endswith((".yml", ".yaml")) and "/" not in path[len(folder) + 1:]:
            facts = project.workflow(path)
            if facts is not None and facts.failure is None:
                workflows[path] = facts
            elif facts is not None:
                project.note(f"{path}:{facts.failure.line}: not read as a workflow: {facts.failure.message}")
    entries = _entries(workflows)
    reader = _Reader(project, workflows)
    for path, workflow in workflows.items():
        for job in workflow.jobs:
            yield from reader.job(path, workflow, job, entries[path])


def _entries(workflows: dict[str, Workflow]) -> dict[str, list[_Entry]]:
    """The ways into every workflow, those through callers included."""
    entries: dict[str, list[_Entry]] = {path: [] for path in workflows}
    waiting = [
        (path, _Entry(gate, trigger.event, ())) for path, workflow in workflows.items()
        for trigger in workflow.triggers for gate in _gates(trigger)
    ]
    while waiting:
        path, entry = waiting.pop(0)
        entries[path].append(entry)
        for job in workflows[path].jobs:
            target = posixpath.normpath(job.uses) if job.uses.startswith("./") else ""
            # GitHub nests calls four deep.
            if target in workflows and len(entry.callers) < 4:
                waiting.append((target, _Entry(entry.gate, entry.event, job.inputs, (*entry.callers, (job, entry)))))
    return entries


def _gates(trigger: Trigger) -> Iterator[Gate]:
    if trigger.event == "push":
        branches = trigger.branches
        if (not branches and not trigger.tags) or any(fnmatch.fnmatchcase("main", glob) for glob in branches):
            yield Gate(PUSH, paths=trigger.paths)
        elif branches or trigger.tags:
            yield Gate(RELEASE if any("release" in branch for branch in branches) or not branches else "push to " + branches[0])
    elif trigger.event != "workflow_call":
        yield Gate(_EVENTS.get(trigger.event, trigger.event), paths=trigger.paths)


class _Reader:
    """Interprets jobs; parsed expressions and script facts are kept."""

    def __init__(self, project: Project, workflows: dict[str, Workflow]) -> None:
        self.project = project
        self.trees: dict[str, Any] = {}
        self.known: dict[tuple[str, str, str], tuple[Gate, ...]] = {}
        named = Counter(job.name for workflow in workflows.values() for job in workflow.jobs)
        self.shared = {name for name, count in named.items() if count > 1}
        self.named: dict[str, list[str]] = {}
        self.reaching: dict[str, bool] = {}
        for path in project.tree.paths(suffix=".sh"):
            self.named.setdefault(posixpath.basename(path), []).append(path)
        self.exists = partial(exists, project)

    def alone(self, path: str, facts: Script) -> list[Command]:
        """The pytest commands of a script that is run by itself."""
        interpreter = Interpreter(self.project.script, self.exists, self.reaches)
        interpreter.run(facts.body, {}, script=path)
        return interpreter.commands

    def reaches(self, script: Script) -> bool:
        """Whether a script mentions pytest, or may run one of the tree that does."""
        return script.pytest or any(name == "" or self.named_reaches(name) for name in script.calls)

    def named_reaches(self, name: str) -> bool:
        if name not in self.reaching:
            self.reaching[name] = False  # for scripts that call each other
            facts = [self.project.script(path) for path in self.named.get(name, ())]
            self.reaching[name] = any(found is not None and self.reaches(found) for found in facts)
        return self.reaching[name]

    def job(self, path: str, workflow: Workflow, job: Job, entries: list[_Entry]) -> Iterator[Run]:
        # What cannot reach pytest need not be interpreted at all.
        if not any(step.script and self.reaches(step.script) for step in job.steps):
            return
        seen = set()
        for variant in _variants(job):
            contexts: dict[str, Any] = {
                "matrix": dict(variant), "env": {},
                # A release branch takes other versions, not other tests.
                "github": {"workspace": ROOT, "ref": _REF[PUSH], "ref_name": "main"},
            }
            runner = self.fill(job.runner, contexts)
            found: list[tuple[Command, tuple[Gate, ...]]] = []
            scripts: dict[str, None] = {}
            for step in job.steps:
                if step.script is None or not self.reaches(step.script):
                    continue
                commands, called = self.step(workflow, job, step, contexts)
                scripts |= called
                gates = self.gates(path, workflow, job, step, entries, contexts) if commands else ()
                found += [(command, gates) for command in commands if gates]
            for command, gates in found:
                run = Run(
                    label=self.label(path, job), variant=_shown(variant), job=job.name, workflow=path, line=job.line,
                    script=command.script or path, script_line=command.line, gates=gates, runner=runner,
                    gpus=gpus(runner) if command.devices is None else min(gpus(runner), command.devices),
                    folder=command.folder, selection=command.selection, scripts=tuple(scripts),
                )
                if run not in seen:
                    seen.add(run)
                    yield run

    def label(self, path: str, job: Job) -> str:
        """A job's name, with its workflow's where another workflow has a job of that name."""
        return f"{posixpath.basename(path).rpartition('.')[0]}: {job.name}" if job.name in self.shared else job.name

    def step(self, workflow: Workflow, job: Job, step: Step, contexts: dict[str, Any]) -> tuple[list[Command], dict[str, None]]:
        interpreter = Interpreter(self.project.script, self.exists, self.reaches)
        variables = {"OSTYPE": "msys" if "windows" in job.runner.lower() else "linux-gnu", "GITHUB_WORKSPACE": ROOT}
        for pairs in (workflow.env, job.env, step.env):
            variables |= {name: self.fill(text, contexts) for name, text in pairs}
        body = step.script.body
        if step.expressions:
            values = {MARK.format(number): self.fill("${{" + text + "}}", contexts) for number, text in enumerate(step.expressions)}
            body = _filled(body, values)
        interpreter.run(body, variables, posixpath.normpath(step.folder) if step.folder else "")
        added = _config(self.project)["addopts"]
        commands = []
        for command in interpreter.commands:
            if not command.script:
                command = command._replace(line=step.first + command.line - 1)
            if added:
                extra = selection(added, self.exists, lambda word: False)
                given = command.selection
                command = command._replace(selection=given._replace(
                    keyword=given.keyword or extra.keyword, marker=given.marker or extra.marker,
                    ignores=extra.ignores + given.ignores, deselects=extra.deselects + given.deselects,
                    options=extra.options + given.options,
                ))
            commands.append(command)
        return commands, interpreter.scripts

    def fill(self, text: str, contexts: dict[str, Any]) -> str:
        """A text with its ``${{ }}`` replaced by what they are worth, ``UNKNOWN`` where that is not known."""
        if "${{" not in text:
            return text
        return re.sub(r"\$\{\{(.*?)\}\}", lambda match: self.worth(match[1], contexts), text, flags=re.DOTALL)

    def worth(self, expression: str, contexts: dict[str, Any]) -> str:
        tree = self.tree(expression)
        found = UNKNOWN if tree is None else github.text_of(github.value(tree, contexts))
        return UNKNOWN if found is None else found

    def tree(self, expression: str) -> Any:
        if expression not in self.trees:
            try:
                self.trees[expression] = github.parse(expression)
            except (github.ExpressionError, RecursionError):
                self.trees[expression] = None
        return self.trees[expression]

    # When it runs

    def gates(
        self, path: str, workflow: Workflow, job: Job, step: Step, entries: list[_Entry], contexts: dict[str, Any]
    ) -> tuple[Gate, ...]:
        """When a step runs; computed once where the matrix has no say."""
        key = (path, job.name, step.condition)
        if key in self.known:
            return self.known[key]
        more = (step.condition,) if step.condition else ()
        found = self.find_gates(workflow, job, entries, more, contexts)
        if "matrix" not in step.condition:
            self.known[key] = found
        return found

    def find_gates(
        self, workflow: Workflow, job: Job, entries: list[_Entry], more: tuple[str, ...], contexts: dict[str, Any]
    ) -> tuple[Gate, ...]:
        found: dict[str, Gate] = {}
        for entry in entries:
            holds = partial(self.holds, workflow, job, entry, more, contexts)
            gate = entry.gate
            plain = holds(())
            if gate.event == PULL_REQUEST:
                candidates = self.labels(job, entry, more)
                labelled = {label: holds((label,)) for label in candidates}
                if plain is False:
                    wanted = [label for label in candidates if labelled[label] is not False]
                    if not wanted:
                        continue
                    # A label that merely contains the text opens the gate too?
                    loose = [f"{label}*" if holds((f"x{label}x",)) is not False else label for label in wanted]
                    gate = gate._replace(labels=tuple(sorted(loose)))
                else:
                    gate = gate._replace(without=tuple(sorted(
                        label for label in candidates if labelled[label] is False)))
            elif plain is False:
                continue
            known = found.get(gate.event)
            if known is None or (known.labels, known.paths) > (gate.labels, gate.paths):
                found[gate.event] = gate
        return tuple(found.values())

    def labels(self, job: Job, entry: _Entry, more: tuple[str, ...]) -> list[str]:
        texts: set[str] = set()
        for condition in (job.condition, *more, *[caller.condition for caller, _ in entry.callers]):
            if "labels" in condition and self.tree(condition) is not None:
                texts |= github.literals(self.tree(condition))
        candidates = {text.strip(" ,") for text in texts}
        return sorted(text for text in candidates if text and "{" not in text and text not in _EVENTS)

    def holds(
        self, workflow: Workflow, job: Job, entry: _Entry, more: tuple[str, ...], contexts: dict[str, Any],
        labels: tuple[str, ...],
    ) -> bool | None:
        """Whether a job runs when a workflow is entered that way."""
        given = {**contexts, **_event(entry, labels)}
        answers = [self.met(workflow, job, given)]
        answers += [self.condition(text, given) for text in more]
        for caller, outer in entry.callers:
            answers.append(self.condition(caller.condition, {**contexts, **_event(outer, labels)}))
        return False if False in answers else None if None in answers else True

    def met(self, workflow: Workflow, job: Job, given: dict[str, Any], depth: int = 8) -> bool | None:
        """A job's own condition and, unless that asks for their status, those of the jobs that it needs."""
        own = self.condition(job.condition, given)
        tree = self.tree(job.condition) if job.condition else None
        if own is False or not job.needs or depth == 0 or (tree is not None and github.asks_status(tree)):
            return own
        needed = [other for other in workflow.jobs if other.name in job.needs]
        answers = [own, *[self.met(workflow, other, given, depth - 1) for other in needed]]
        return False if False in answers else None if None in answers else True

    def condition(self, text: str, given: dict[str, Any]) -> bool | None:
        if not text:
            return True
        tree = self.tree(text)
        return None if tree is None else github.truth(tree, given)


def _event(entry: _Entry, labels: tuple[str, ...]) -> dict[str, Any]:
    event = entry.gate.event
    request = {"labels": [{"name": label} for label in labels]} if event == PULL_REQUEST else None
    return {
        "github": {
            "event_name": entry.event, "ref": _REF.get(event, github.UNKNOWN), "workspace": ROOT,
            "event": {"pull_request": request, "inputs": github.UNKNOWN},
        },
        "inputs": {name: github.UNKNOWN if "${{" in text else text for name, text in entry.inputs},
    }


def _variants(job: Job) -> list[tuple[tuple[str, str], ...]]:
    """The rows of a matrix, in GitHub's order; one empty row where there is none."""
    rows = [tuple(zip([name for name, _ in job.matrix], values)) for values in product(*[given for _, given in job.matrix])]
    if not job.matrix:
        rows = []
    rows = [row for row in rows if not any(_agrees(row, left_out) for left_out in job.exclude)]
    extra = []
    for added in job.include:
        axes = {name for name, _ in job.matrix}
        shared = [pair for pair in added if pair[0] in axes]
        fits = [position for position, row in enumerate(rows) if all(pair in row for pair in shared)]
        if rows and fits:
            for position in fits:
                rows[position] = (*rows[position], *[pair for pair in added if pair[0] not in axes])
        else:
            extra.append(added)
    return [*rows, *extra] or [()]


def _shown(variant: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The values that tell variants apart for a reader: not images, digests and other long texts."""
    return tuple([value for _, value in variant if value != "?" and "${{" not in value and len(value) <= 24])


def _agrees(row: tuple, wanted: tuple) -> bool:
    return all(pair in row for pair in wanted)


def _filled(node: Any, values: dict[str, str]) -> Any:
    """Shell code with the marks of GitHub's expressions replaced by their values."""
    if type(node) is str:
        if "GHEXPR" in node:
            for mark, text in values.items():
                node = node.replace(mark, text)
        return node
    return tuple([_filled(part, values) for part in node]) if type(node) is tuple else node
