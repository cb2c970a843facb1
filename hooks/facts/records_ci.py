"""The records of CI files: shell scripts and GitHub workflows, plain values all the way down.

Shell code is kept as nested tuples, a node's first element being its kind. A body is a tuple of
commands:

    ("cmd", line, assigns, words, inputs)   a simple command; inputs are ("<<<", word) and ("<", body)
    ("set", line, kind, assigns)            assignments; kind is "", export, local, readonly, declare, unset
    ("function", line, name, body)
    ("if", line, ((test, body), ...), otherwise)
    ("case", line, word, ((patterns, body), ...))
    ("for", line, name, words, body)
    ("while", line, test, body, inputs)
    ("and" | "or", line, left, right)       two commands
    ("not", line, command)
    ("pipe", line, commands)
    ("group" | "subshell", line, body)
    ("test", line, condition)
    ("?", line)                             what could not be read

An assignment is (name, "=" or "+=", value), the value a word, ("array", words) or None. A word is a
string, or a tuple of parts, a part being a string or one of

    ("$", name, operator, word, quoted)     ${name operator word}
    ("@", name, index, quoted)              ${name[index]}, a slice as "@:1:2"; the positional parameters are "@"
    ("(", body, quoted)                     $(body)
    ("code", body)                          the text after bash -c
    ("?", text)                             what could not be read

A condition is ("word", word), ("unary", operator, word), ("binary", operator, left, right),
("not", condition), ("and" | "or", left, right) or ("?",).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .records import Failure


class Script(NamedTuple):
    """A shell script.

    Args:
        lines: how many lines it has.
        pytest: some command mentions pytest.
        calls: names of the scripts that its commands may run, "" for one that is computed.
        opaque: lines where something could not be read.
    """

    lines: int
    pytest: bool
    calls: tuple[str, ...]
    body: tuple[Any, ...]
    opaque: tuple[int, ...]


class Trigger(NamedTuple):
    """One event under ``on``; the filters are empty where there is none."""

    event: str
    line: int
    branches: tuple[str, ...]
    tags: tuple[str, ...]
    paths: tuple[str, ...]
    types: tuple[str, ...]


class Step(NamedTuple):
    """What a job runs, in order; ``with.script`` of a job that another repository's workflow runs is its only step.

    Args:
        line: of the step.
        script: shell code with every ``${{ expression }}`` replaced by a variable that has its number.
        expressions: those expressions.
        first: the line of the file where the script's first line stands.
    """

    line: int
    name: str
    condition: str
    uses: str
    script: Script | None
    expressions: tuple[str, ...]
    first: int
    shell: str
    folder: str
    env: tuple[tuple[str, str], ...]

    _nested = {"script": Script}


class Job(NamedTuple):
    """One job.

    Args:
        name: its key.
        title: its ``name``, or "".
        condition: its ``if``, or "".
        runner: ``runs-on``, or ``with.runner`` of a reusable workflow.
        matrix: (axis, values) in the order of the file.
        include: additional rows as ((axis, value), ...).
        exclude: removed rows, likewise.
        matrix_known: False where the matrix is computed when the workflow runs.
        inputs: ``with`` as (name, text).
    """

    name: str
    line: int
    title: str
    condition: str
    runner: str
    uses: str
    needs: tuple[str, ...]
    matrix: tuple[tuple[str, tuple[str, ...]], ...]
    include: tuple[tuple[tuple[str, str], ...], ...]
    exclude: tuple[tuple[tuple[str, str], ...], ...]
    matrix_known: bool
    env: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]

    _nested = {"steps": Step}


class Workflow(NamedTuple):
    """A workflow file; with a ``failure`` everything else is empty."""

    failure: Failure | None
    name: str
    triggers: tuple[Trigger, ...]
    env: tuple[tuple[str, str], ...]
    jobs: tuple[Job, ...]

    _nested = {"failure": Failure, "triggers": Trigger, "jobs": Job}


class Pattern(NamedTuple):
    """A glob or a regular expression, and the line where it stands."""

    text: str
    line: int


class Match(NamedTuple):
    """One condition of a label: ``how`` is an option of ``changed-files``, "base-branch" or "head-branch"."""

    how: str
    patterns: tuple[Pattern, ...]

    _nested = {"patterns": Pattern}


class Config(NamedTuple):
    """Conditions that stand together in one entry."""

    matches: tuple[Match, ...]

    _nested = {"matches": Match}


class Block(NamedTuple):
    """Entries of which any or all must hold, as ``kind`` says."""

    kind: str
    configs: tuple[Config, ...]

    _nested = {"configs": Config}


class Label(NamedTuple):
    """One label; all of its blocks must hold."""

    name: str
    line: int
    blocks: tuple[Block, ...]

    _nested = {"blocks": Block}


class Fault(NamedTuple):
    """What the labeler does not take, or does not mean what it seems to.

    Args:
        label: the label that it belongs to.
        stops: the labeler fails on it and sets no label at all.
    """

    label: str
    line: int
    message: str
    stops: bool


class Labels(NamedTuple):
    """The configuration of GitHub's labeler; with a ``failure`` everything else is empty."""

    failure: Failure | None
    labels: tuple[Label, ...]
    faults: tuple[Fault, ...]

    _nested = {"failure": Failure, "labels": Label, "faults": Fault}
