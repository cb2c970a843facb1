"""Judges the change once and reports it in every form: annotations, the summary, and files for the stages that follow.

Environment: ``PREFLIGHT_FOLDER`` where the files go; ``PREFLIGHT_SELECT``, ``PREFLIGHT_IGNORE`` rules, with commas between
them; ``PREFLIGHT_PATHS`` one path a line; ``PREFLIGHT_BASE`` what to compare with; ``PREFLIGHT_FAIL_ON`` error, warning,
advisory or never.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from torchrl_preflight.hooks.command import guarded
from torchrl_preflight.hooks.finding import SEVERITIES
from torchrl_preflight.hooks.git import Git, GitError
from torchrl_preflight.hooks.profile import CONFIG, ConfigError
from torchrl_preflight.hooks.report import Report, Style, printable, render
from torchrl_preflight.hooks.report.edits import suggested
from torchrl_preflight.hooks.run import Options, UsageError, run

from .. import config
from ..workflow import annotate, folder, output, summarize

_FILES = {"json": "lint.json", "sarif": "lint.sarif", "markdown": "lint.md"}


def main(environment: Mapping[str, str] = os.environ) -> int:
    """Judges the change in the current folder.

    Returns:
        0 unless there is a new finding at or above the severity asked for (1), or nothing could be judged (2).
    """
    return guarded("torchrl-lint", lambda: _judged(environment), {})


def _judged(environment: Mapping[str, str]) -> int:
    def named(name: str) -> tuple[str, ...]:
        return tuple(filter(None, (item.strip() for item in environment.get(name, "").split(","))))

    fail_on = environment.get("PREFLIGHT_FAIL_ON") or "error"
    try:
        if fail_on not in (*SEVERITIES, "never"):
            raise UsageError(f"fail-on is {fail_on!r}; allowed: {', '.join((*SEVERITIES, 'never'))}")
        report = run(
            Options(
                base=environment.get("PREFLIGHT_BASE") or None,
                paths=tuple(
                    filter(None, (line.strip() for line in environment.get("PREFLIGHT_PATHS", "").splitlines()))
                ),
                select=named("PREFLIGHT_SELECT"),
                ignore=named("PREFLIGHT_IGNORE"),
                jobs=os.cpu_count() or 1,
            )
        )
    except ConfigError as error:
        annotate("error", str(error), CONFIG, config.line_of(str(error), Path(CONFIG)))
        return 2
    except (GitError, UsageError) as error:
        annotate("error", str(error))
        return 2
    style = Style(again="torchrl-lint" + (f" --base {report.base.commit}" if report.base.commit else ""))
    print(render("github", report, style), end="")
    read = _read_from()
    print(f"compared with: {report.base.commit or 'nothing'} ({printable(report.base.chosen_by)})")
    print(read)
    texts = {name: render(form, report, style) for form, name in _FILES.items()} | {"edits.json": suggested(report)}
    for name, text in texts.items():
        (folder() / name).write_text(text, encoding="utf-8", errors="surrogateescape", newline="\n")
    summarize(f"{texts['lint.md']}\n{read}\n")
    new = [finding.severity for finding in report.shown if finding.new]
    for severity in SEVERITIES:
        output(f"new-{'advisories' if severity == 'advisory' else severity + 's'}", str(new.count(severity)))
    failed = _fails(report, fail_on)
    output("failed", "true" if failed else "false")
    return int(failed)


def _fails(report: Report, fail_on: str) -> bool:
    worst = () if fail_on == "never" else SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    return any(finding.new and finding.severity in worst for finding in report.shown)


def _read_from() -> str:
    """Whose configuration was used: under a pull request it is the change's own, and people look in the wrong place."""
    git = Git(".")
    head = git.commit("HEAD") or "no commit"
    git.close()
    if b"torchrl-preflight" not in (Path(CONFIG).read_bytes() if Path(CONFIG).is_file() else b""):
        return f"configuration: the shipped profile; {CONFIG} at {head} says nothing else"
    return f"configuration: {CONFIG} at {head} ({printable(os.environ.get('GITHUB_REF') or 'here')})"


if __name__ == "__main__":
    sys.exit(main())
