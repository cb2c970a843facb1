"""The stages of the pipeline, in the order of the workflow: lint, labels, plan, smoke. Each says what it verified and what not."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from torchrl_preflight.checks import report as smoke_report
from torchrl_preflight.checks import run as smoke
from torchrl_preflight.checks.commands.plan import text as plan_text
from torchrl_preflight.checks.plan import plan
from torchrl_preflight.hooks.commands.labels import needed
from torchrl_preflight.hooks.commands.labels import text as labels_text
from torchrl_preflight.hooks.git import Git, GitError, NoRepository
from torchrl_preflight.hooks.report import Style, printable, render
from torchrl_preflight.hooks.report import text as lint_text
from torchrl_preflight.hooks.run import Options, UsageError, open_project, run

from .github.body import chosen

FAILED, UNVERIFIED = 1, 3


class Stage(NamedTuple):
    """What one stage came to.

    Args:
        name: of the stage.
        status: "passed", "failed", "unverified", "blocked" or "not needed".
        summary: one line.
        body: the stage's own report.
        exit_status: as in the contract of its own command.
    """

    name: str
    status: str
    summary: str
    body: str
    exit_status: int


Progress = Callable[[str, int, int], None]


def stages(base: str | None, color: bool, progress: Progress | None = None, pull: int | None = None) -> Iterator[Stage]:
    """Runs the pipeline in the current folder.

    Args:
        base: what to compare with; chosen from the branch when None.
        color: use terminal colours.
        progress: called with what is being done.
        pull: number of the pull request that the branch belongs to; GitHub is asked about it.

    Raises:
        GitError, ConfigError: lint could not judge; the message says what to do.
        Unusable: GitHub has no such pull request.
    """
    options = _target(base)
    if pull is not None and options is not None and not options.package:
        _told(progress, "pull request")
        stage, options = pull_request(pull, options, os.environ)
        yield stage
    _told(progress, "lint")
    yield lint(options, color)
    made = None
    if options is not None and not options.package:
        _told(progress, "labels")
        yield labels(options)
        _told(progress, "plan")
        stage, made = planned(options)
        yield stage
    yield from smoked(made, progress)


def pull_request(number: int, options: Options, environment: Mapping[str, str]) -> tuple[Stage, Options]:
    """What GitHub says of the pull request, and the options with it; without a token the run goes on without."""
    from .github.client import Failure
    from .github.facts import facts
    from .github.job import Unusable

    name, git = f"pull {number}", Git(options.repo)
    try:
        found = facts(number, git, environment)
    except (Failure, Unusable) as error:
        if isinstance(error, Unusable) and isinstance(error.__cause__, Failure):
            raise
        return Stage(name, "unverified", printable(str(error)), f"{printable(str(error))}\n", UNVERIFIED), options
    else:
        commit, branch = found.base
        notes = []
        if options.base is None:
            try:
                options = options._replace(base=git.text("merge-base", commit, "HEAD"))
            except GitError:
                notes.append(f"its base {commit[:12]} is not in this clone, so another was chosen: git fetch --all")
        here = git.commit("HEAD") or ""
        if here != found.head:
            notes.append(f"judged is this checkout, {here[:12]}; the pull request is at {found.head[:12]}")
        summary = printable(f"{found.words.title}, by {found.words.author}, onto {branch}")
        lines = [
            summary,
            f"labels: {printable(', '.join(found.labels)) or 'none'}",
            *(f"note: {note}" for note in notes),
        ]
        return Stage(name, "passed", summary, "\n".join(lines) + "\n", 0), options._replace(pull_request=found.words)
    finally:
        git.close()


def lint(options: Options | None, color: bool) -> Stage:
    """Judges the branch in a checkout of a repository that the rules know, else the installed torchrl."""
    if options is None:
        why = "this is no checkout of pytorch/rl, and no torchrl is installed to judge instead"
        return Stage("lint", "unverified", why, f"{why}: pip install 'torchrl-preflight[smoke]'\n", UNVERIFIED)
    report = run(options)
    what = f"the installed torchrl in {options.repo}" if options.package else "the branch"
    body = f"Judged: {what}\n\n" + render("text", report, Style(color=color, again="torchrl-preflight"))
    summary = lint_text.summary(report)
    if report.exit_status:
        return Stage("lint", "failed", summary, body, FAILED)
    if not report.base.commit:
        return Stage("lint", "unverified", f"{summary}; no base to tell old from new", body, UNVERIFIED)
    return Stage("lint", "passed", summary, body, 0)


def labels(options: Options) -> Stage:
    """Names the labels that the change needs; they fail nothing."""
    try:
        found = needed(options)
    except UsageError as error:
        return Stage("labels", "unverified", printable(str(error)), f"{printable(str(error))}\n", UNVERIFIED)
    names = printable(", ".join(row["label"] for row in found.rows))
    return Stage(
        "labels", "passed", names or "none needed", "\n".join(labels_text(found.rows, found.parents)) + "\n", 0
    )


def planned(options: Options) -> tuple[Stage, dict[str, Any] | None]:
    """Chooses what to run for the change; the plan is None where there is nothing to compare with."""
    try:
        made = plan(options)
    except UsageError as error:
        return Stage("plan", "unverified", printable(str(error)), f"{printable(str(error))}\n", UNVERIFIED), None
    return Stage("plan", "passed", chosen(made), "\n".join(plan_text(made)).strip() + "\n", 0), made


def smoked(made: dict[str, Any] | None, progress: Progress | None) -> Iterator[Stage]:
    """Runs the plan's smoke checks with the torchrl that is imported here; without a plan, all of the cpu tier."""
    rows = [{"name": "smoke", "areas": "", "tier": "cpu", "device": "cpu"}]
    if made is not None:
        rows = [row for row in made["matrix"]["include"] if row["areas"]]
        if not rows:
            yield Stage("smoke", "not needed", "nothing to run for this change", "Nothing to run for this change.\n", 0)
    for row in rows:
        areas = row["areas"].split(",") if row["areas"] else ()
        try:
            report = smoke.run(areas, tier=row["tier"], device=row["device"], progress=progress)
        except (smoke.SmokeExtraMissing, smoke.TorchrlBroken) as error:
            yield Stage(row["name"], "unverified", str(error), f"{error}\n", UNVERIFIED)
            continue
        status = {0: "passed", FAILED: "failed"}.get(report.exit_status, "unverified")
        body = smoke_report.render(report, "text")
        yield Stage(row["name"], status, body.rstrip().rpartition("\n")[2], body, report.exit_status)


def exit_status(done: list[Stage]) -> int:
    """1 if a stage failed, else 3 if neither lint nor a smoke check could verify anything, else 0."""
    if any(stage.exit_status == FAILED for stage in done):
        return FAILED
    judging = [stage for stage in done if stage.name == "lint" or stage.name.startswith("smoke")]
    return UNVERIFIED if all(stage.exit_status == UNVERIFIED for stage in judging) else 0


def _told(progress: Progress | None, what: str) -> None:
    if progress:
        progress(what, 0, 0)


def _target(base: str | None) -> Options | None:
    """The checkout here if a profile fits it, else the folder that holds the installed torchrl."""
    try:
        Git(".")
    except NoRepository:
        fits = False
    else:
        project, store, git = open_project(Options())
        store.close()
        git.close()
        fits = project is not None
    if fits:
        return Options(base=base)
    found = find_spec("torchrl")
    if found is None or not found.submodule_search_locations:
        return None
    package = Path(next(iter(found.submodule_search_locations)))
    return Options(repo=str(package.parent), package=package.name, everything=True)
