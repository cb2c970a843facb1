"""Keeps the comment up to date: ``python -m torchrl_preflight.actions.github.report``, with what a step's environment says.

On ``workflow_run`` the results are those in the artifacts of the run that ended; on other events, those in
``PREFLIGHT_FOLDER``. Environment besides: GitHub's own variables, ``GITHUB_TOKEN``, ``PREFLIGHT_COMMENT`` (false: write no
comment), ``PREFLIGHT_LABELS`` (true: set labels, too). Outputs: ``comment-url`` and ``labels-added``. What GitHub refuses is one
warning, the results are in the summary all the same, and the status stays 0.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import NamedTuple

from torchrl_preflight.hooks.report import Report, Style, printable, render
from torchrl_preflight.hooks.report.markdown import text

from ..workflow import SUMMARY_BYTES, output, summarize
from . import artifact
from .body import Words, body
from .client import Failure, GitHub
from .comment import Mark, author, keep, ours
from .job import client, entry, folder, payload, pull_request, told, warn
from .label_writing import write
from .pull import Run, head_of, later_run, pull_of, run_of
from .results import Results, results

_AGAIN = 3


class Asked(NamedTuple):
    """What is to be written: the comment, labels."""

    comment: bool
    labels: bool


class Subject(NamedTuple):
    """What is reported on.

    Args:
        number: of the pull request.
        head: commit that was judged.
        order: id and attempt of the run that judged it.
        address: of that run.
    """

    number: int
    head: str
    order: tuple[int, int]
    address: str


class Outcome(NamedTuple):
    """What came of one report.

    Args:
        url: of the comment; "" where none was written.
        added: labels that were set.
        failures: what GitHub did not do.
    """

    url: str = ""
    added: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()


def main() -> int:
    """The entry point; gives the exit status."""
    return entry("torchrl-preflight report", _main)


def _main(environment: Mapping[str, str]) -> int:
    """Reports on the run or the pull request of the event.

    Raises:
        Unusable: the environment lacks what is needed.
    """
    github = client(environment)
    asked = Asked(environment.get("PREFLIGHT_COMMENT", "true") == "true", environment.get("PREFLIGHT_LABELS") == "true")
    server = environment.get("GITHUB_SERVER_URL") or "https://github.com"
    place = f"{server}/{github.repository}/actions/runs"
    try:
        if environment.get("GITHUB_EVENT_NAME") == "workflow_run":
            outcome = _of_runs(github, run_of(payload(environment).get("workflow_run") or {}), asked, place)
        else:
            outcome = _of_event(github, asked, place, environment)
    except Failure as failure:
        outcome = Outcome(failures=(failure,))
    warn(outcome.failures)
    output("comment-url", outcome.url)
    output("labels-added", json.dumps(outcome.added, separators=(",", ":")))
    return 0


def _of_runs(github: GitHub, run: Run | None, asked: Asked, place: str) -> Outcome:
    """Reports on a run; whoever is overtaken while writing then reports on the run that overtook it."""
    outcome = Outcome()
    for _ in range(_AGAIN):
        number, why = pull_of(github, run)
        if number is None:
            print(f"no comment: {printable(why)}")
            break
        subject = Subject(number, run.head, run.order, f"{place}/{run.id}")
        outcome = _report(github, subject, results(artifact.of_run(github, run.id)), asked)
        run = None if outcome.failures else later_run(github, run, number)
        if run is None:
            break
    return outcome


def _of_event(github: GitHub, asked: Asked, place: str, environment: Mapping[str, str]) -> Outcome:
    """Reports on the pull request of the event, by the files that earlier jobs left."""
    number, head = pull_request(environment)
    if number is None:
        print(f"no comment: {printable(environment.get('GITHUB_EVENT_NAME', 'this event'))} has no pull request")
        return Outcome()
    order = (int(environment.get("GITHUB_RUN_ID") or 0), int(environment.get("GITHUB_RUN_ATTEMPT") or 1))
    found = results(artifact.of_folder(folder(environment)))
    return _report(github, Subject(number, head, order, f"{place}/{order[0]}"), found, asked)


def _report(github: GitHub, subject: Subject, found: Results, asked: Asked) -> Outcome:
    """Writes the summary, which needs no permission, then labels and comment as far as asked for."""
    words = Words(subject.head, subject.address)
    summarize(body(found, words, SUMMARY_BYTES - 1))
    failures: list[Failure] = []
    added: tuple[str, ...] = ()
    labels = None
    if asked.labels:
        try:
            if head_of(github, subject.number) == subject.head:
                written = write(github, subject.number, found.labels or [], _before(github, subject.number))
                told(written)
                added, labels = written.added, written.ours
                words = words._replace(said=tuple(map(text, written.said)))
                failures += [written.failure] if written.failure else []
        except Failure as failure:
            failures.append(failure)
    url = ""
    if asked.comment:
        try:
            url, why = keep(github, subject.number, Mark(subject.head, subject.order, labels), body(found, words))
            print(f"no comment: {why}" if why else f"comment: {url}")
        except Failure as failure:
            failures.append(failure)
            _annotations(found.lint)
    return Outcome(url, added, tuple(failures))


def _before(github: GitHub, number: int) -> tuple[str, ...]:
    """The labels that earlier runs have set, as their comment keeps them."""
    known = ours(github, number, author(github))
    return known[0].mark.labels or () if known else ()


def _annotations(report: Report | None) -> None:
    """In the place of a comment: the new errors in the log. The warnings' places are for what GitHub refused."""
    if report is not None:
        errors = [item for item in report.findings if item.severity == "error" and item.new]
        print(render("github", report._replace(findings=errors, notes=[], fixed=[]), Style()), end="")


if __name__ == "__main__":
    sys.exit(main())
