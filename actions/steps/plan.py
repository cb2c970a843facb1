"""Turns the plan of a change into outputs that jobs can use in ``if:`` and in a matrix.

Environment: ``PREFLIGHT_FOLDER`` where ``plan.json`` goes; ``PREFLIGHT_BASE`` what to compare with.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from torchrl_preflight.hooks.command import guarded

from ..workflow import annotate, command, folder, output, summarize

MOST_BYTES = 900_000
"""GitHub refuses outputs of a job beyond 1 MiB."""


def main(environment: Mapping[str, str] = os.environ) -> int:
    """Plans the change in the current folder.

    Returns:
        The exit status of ``torchrl-smoke plan``.
    """
    return guarded("torchrl-smoke plan", lambda: _planned(environment), {})


def _planned(environment: Mapping[str, str]) -> int:
    base = environment.get("PREFLIGHT_BASE", "")
    done = command("torchrl-smoke", "plan", "--format", "json", *(["--base", base] if base else []))
    if done.returncode:
        annotate("error", done.stderr.strip() or f"torchrl-smoke plan ended with {done.returncode}")
        return done.returncode
    (folder() / "plan.json").write_text(done.stdout, encoding="utf-8", newline="\n")
    plan = json.loads(done.stdout)
    for name, value in outputs(plan).items():
        output(name, value)
    rows = plan["matrix"]["include"]
    summarize(_summary(plan, rows))
    print(f"{len(plan['areas'])} areas, {len(plan['tests'])} test files, {len(rows)} jobs")
    return 0


def outputs(plan: Mapping[str, Any]) -> dict[str, str]:
    """The outputs of the action.

    Returns:
        ``olddeps``, ``optdeps``, ``gpu``, ``anything``: true or false. ``areas``, ``labels``, ``tests``: lists as json, the
        last with ``[]`` and a warning where it is beyond what GitHub takes. ``cpu-matrix``, ``gpu-matrix``: the smoke
        checks' rows by device, or nothing: GitHub refuses an empty matrix, so a job has ``if:`` on it.
    """
    flags = {name: str(bool(plan[name])).lower() for name in ("olddeps", "optdeps", "gpu", "anything")}
    lists = {
        "areas": plan["areas"],
        "labels": [row["label"] for row in plan["labels"]],
        "tests": [row["path"] for row in plan["tests"]],
    }
    found = flags | {name: json.dumps(value, separators=(",", ":")) for name, value in lists.items()}
    if len(found["tests"]) > MOST_BYTES:
        annotate("warning", "more test files than an output of GitHub holds; plan.json of this run has them")
        found["tests"] = "[]"
    for device in ("cpu", "cuda"):
        rows = [
            {key: row[key] for key in ("name", "device", "tier", "areas")}
            for row in plan["matrix"]["include"]
            if row["device"] == device and row["areas"]
        ]
        found["gpu-matrix" if device == "cuda" else "cpu-matrix"] = json.dumps({"include": rows}) if rows else ""
    return found


def _summary(plan: Mapping[str, Any], rows: list[Mapping[str, Any]]) -> str:
    if not plan["anything"]:
        return "**Smoke checks**: nothing to run for this change.\n"
    lines = [
        "**Smoke checks for this change**",
        "",
        "| job | device | areas | test files | minutes |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        cells = (row["name"], row["device"], row["areas"], len(row["tests"].split()) or "", row["minutes"])
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
