"""The stages of the pipeline, in order: lint, then smoke. Each says what it verified and what it could not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from torchrl_preflight.checks import report as smoke_report
from torchrl_preflight.checks import run as smoke
from torchrl_preflight.hooks.git import Git, GitError
from torchrl_preflight.hooks.report import Style, render
from torchrl_preflight.hooks.report import text as lint_text
from torchrl_preflight.hooks.run import Options, open_project, run

FAILED, UNVERIFIED = 1, 3


class Stage(NamedTuple):
    """What one stage came to.

    Args:
        name: of the stage.
        status: "passed", "failed", "unverified" or "blocked".
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


def stages(base: str | None, color: bool, progress: Progress | None = None) -> Iterator[Stage]:
    """Runs the pipeline in the current folder.

    Args:
        base: what to compare with; chosen from the branch when None.
        color: use terminal colours.
        progress: called with what is being done.

    Raises:
        GitError, ConfigError: lint could not judge; the message says what to do.
    """
    if progress:
        progress("lint", 0, 0)
    yield lint(base, color)
    yield smoked(progress)


def lint(base: str | None, color: bool) -> Stage:
    """Judges the branch in a checkout of a repository that the rules know, else the installed torchrl."""
    options = _target(base)
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


def smoked(progress: Progress | None) -> Stage:
    """Runs the smoke checks of the cpu tier with the torchrl that is imported here."""
    try:
        report = smoke.run(progress=progress)
    except smoke.SmokeExtraMissing as error:
        return Stage("smoke", "unverified", str(error), f"{error}\n", UNVERIFIED)
    status = {0: "passed", FAILED: "failed"}.get(report.exit_status, "unverified")
    body = smoke_report.render(report, "text")
    return Stage("smoke", status, body.rstrip().rpartition("\n")[2], body, report.exit_status)


def exit_status(done: list[Stage]) -> int:
    """1 if a stage failed, else 3 if none of them could verify anything, else 0."""
    if any(stage.exit_status == FAILED for stage in done):
        return FAILED
    return UNVERIFIED if all(stage.exit_status == UNVERIFIED for stage in done) else 0


def _target(base: str | None) -> Options | None:
    """The checkout here if a profile fits it, else the folder that holds the installed torchrl."""
    try:
        Git(".")
    except GitError:
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
