"""Runs one row of the plan's matrix and reports it: annotations, the summary, and a file for the stages that follow.

Environment: ``PREFLIGHT_FOLDER`` where ``smoke-NAME.json`` goes; ``PREFLIGHT_NAME`` of the row; ``PREFLIGHT_AREAS`` with
commas between them (none: all); ``PREFLIGHT_TIER``; ``PREFLIGHT_DEVICE`` cpu, cuda or auto; ``PREFLIGHT_REQUIRE`` needs
without which the run is not green.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from typing import Any

from torchrl_preflight.checks import report as reports
from torchrl_preflight.checks.record import Check, Report
from torchrl_preflight.hooks.command import guarded
from torchrl_preflight.hooks.report import printable

from ..workflow import annotate, command, folder, output, summarize

_SHOWN = 10
_SPOKEN = {"failed": "error", "blocked": "error", "unverified": "warning"}


def main(environment: Mapping[str, str] = os.environ) -> int:
    """Runs the checks with the torchrl that is imported in the current folder.

    Returns:
        The exit status of ``torchrl-smoke``: 0 verified, 1 a failed check, 2 wrong usage, 3 nothing could be verified, or not
        what was required.
    """
    return guarded("torchrl-smoke", lambda: _run(environment), {})


def _run(environment: Mapping[str, str]) -> int:
    name = environment.get("PREFLIGHT_NAME") or "smoke-cpu"
    if not re.fullmatch(r"[a-z0-9-]{1,60}", name):
        annotate("error", f"name is {name!r}; allowed: small letters, digits and dashes")
        return 2
    arguments = ["--format", "json"]
    for option, variable in (("--area", "AREAS"), ("--require", "REQUIRE")):
        for item in environment.get(f"PREFLIGHT_{variable}", "").split(","):
            arguments += [f"{option}={item.strip()}"] if item.strip() else []
    for option, variable in (("--tier", "TIER"), ("--device", "DEVICE")):
        value = environment.get(f"PREFLIGHT_{variable}", "")
        arguments += [f"{option}={value}"] if value else []
    done = command("torchrl-smoke", *arguments)
    # The checks run the change's code, and what it says is shown to a runner that takes orders from lines.
    print(*map(printable, done.stderr.splitlines()), sep="\n", file=sys.stderr)
    try:
        found = json.loads(done.stdout)
        report = Report(found["environment"], tuple(_check(row) for row in found["checks"]))
    except (ValueError, TypeError, KeyError):
        output("status", "blocked")
        annotate("error", f"torchrl-smoke ended with {done.returncode} and no report: {done.stderr.strip()}")
        return done.returncode or 1
    file = f"smoke-{name.removeprefix('smoke-')}.json"
    (folder() / file).write_text(done.stdout, encoding="utf-8", newline="\n")
    output("status", {0: "passed", 1: "failed"}.get(done.returncode, "unverified"))
    shown = [check for kind in _SPOKEN for check in report.checks if check.status == kind]
    for check in shown[:_SHOWN]:
        annotate(_SPOKEN[check.status], f"{check.status}: {check.id}: {check.reason} {check.hint}".strip())
    print(*map(printable, reports.render(report, "text").splitlines()), sep="\n")
    summarize(f"**{name}**\n\n{reports.render(report, 'markdown')}\n")
    return done.returncode


def _check(row: Mapping[str, Any]) -> Check:
    """One check of the report, in which no text breaks a line."""
    words = {key: printable(value) if isinstance(value, str) else value for key, value in row.items()}
    return Check(**words | {"warnings": tuple(map(printable, row["warnings"]))})


if __name__ == "__main__":
    sys.exit(main())
