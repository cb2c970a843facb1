"""What the stages of a run found, taken from their files one by one; a file that does not look right is left out and said."""

from __future__ import annotations

from typing import Any, NamedTuple

from torchrl_preflight.checks.record import STATUSES, TIERS, Check
from torchrl_preflight.checks.record import Report as Smoke
from torchrl_preflight.hooks.base import Base
from torchrl_preflight.hooks.finding import SEVERITIES, Edit, Finding, First
from torchrl_preflight.hooks.report import Report

from .artifact import Read
from .shape import Many, Misshapen, Named, Text, shaped

_WORDS = Text()
_LINE = Text(1_000)
# Relative, without a step upwards, and not Windows' kind of absolute.
_PATH = Text(1_000, r"(?s:(?!/|\\|[A-Za-z]:)(?!(?:.*[/\\])?\.\.(?:[/\\]|$))[^\0]+)")
_COMMIT = Text(64, r"[0-9a-f]{40}|[0-9a-f]{64}")
_FINDING = {
    "rule": Text(80, r"[a-z][a-z0-9-]*"),
    "severity": SEVERITIES,
    "path": _PATH,
    "line": (int, None),
    "column": int,
    "end_line": (int, None),
    "symbol": _LINE,
    "message": _WORDS,
    "hint": _WORDS,
    "new": bool,
    "edit": ({"patch": Text(200_000), "safe": bool}, None),
    "also_touch": Many(_PATH, 1_000),
    "verify": _WORDS,
}
_LABEL = Text(50, r"[^\0-\x1f\x7f]+")
_FILES = {
    "lint": {
        "schema": 1,
        "base": {"commit": (_COMMIT, None), "chosen_by": _LINE},
        "first": (Many({"kind": Text(40), "path": _PATH, "line": (int, None), "text": _WORDS}, 1_000), None),
        "findings": Many(_FINDING, 50_000),
        "fixed": Many(_PATH),
        "notes": Many(_WORDS, 1_000),
        "stats": Named(int),
    },
    "labels": {
        "schema": 1,
        "labels": Many({"label": _LABEL, "path": _PATH, "reason": _WORDS, "jobs": Many(_LINE, 500)}, 200),
        "notes": Many(_WORDS, 1_000),
    },
    "plan": {
        "schema": 1,
        "areas": Many(_LINE, 200),
        "tests": Many({"path": _PATH, "reason": _WORDS}),
        "gpu": bool,
        "anything": bool,
        "notes": Many(_WORDS, 1_000),
    },
    "smoke": {
        "schema": 1,
        "environment": Named((_WORDS, int, bool, None, Many(_WORDS, 1_000))),
        "checks": Many(
            {
                "id": _LINE,
                "area": Text(80),
                "tier": TIERS,
                "status": STATUSES,
                "reason": _WORDS,
                "hint": _WORDS,
                "warnings": Many(_WORDS, 1_000),
                "seconds": (float, int),
            },
        ),
    },
    "run": {"schema": 1, "results": Named(Text(40, r"[a-z_]*")), "gpu": Text(40, r"[a-z -]*")},
}


class Results(NamedTuple):
    """The results of a run; None and empty where a stage left none.

    Args:
        labels: rows of label, path, reason and jobs.
        plan: areas, tests, gpu, anything and notes.
        smoke: name of the job -> its report.
        jobs: job -> how it ended; ``gpu`` how the checks that need one did. Hints.
        refused: one line for each file that was not taken, and why.
    """

    lint: Report | None
    labels: list[dict[str, Any]] | None
    plan: dict[str, Any] | None
    smoke: dict[str, Smoke]
    jobs: dict[str, str]
    gpu: str
    refused: list[str]


def results(read: Read) -> Results:
    """The files of a run, each held against its shape."""
    refused = list(read.refused)
    found: dict[str, Any] = {}
    for name, content in sorted(read.files.items()):
        stage, _, job = name.removesuffix(".json").partition("-")
        try:
            value = shaped(content, _FILES[stage], stage)
        except Misshapen as error:
            refused.append(f"{name} is not read: {error}")
            continue
        found[f"{stage}-{job}" if job else stage] = value
    smoke = {name[6:]: _smoke(value) for name, value in found.items() if name.startswith("smoke-")}
    run = found.get("run", {})
    return Results(
        _lint(found["lint"]) if "lint" in found else None,
        found["labels"]["labels"] if "labels" in found else None,
        found.get("plan"),
        smoke,
        run.get("results", {}),
        run.get("gpu", ""),
        refused,
    )


def _lint(value: dict[str, Any]) -> Report:
    findings = []
    for row in value["findings"]:
        edit = Edit(**row.pop("edit")) if row["edit"] else row.pop("edit")
        findings.append(Finding(**{**row, "also_touch": tuple(row["also_touch"]), "edit": edit}))
    base = Base(value["base"]["commit"], value["base"]["chosen_by"])
    first = [First(**row) for row in value["first"] or ()]
    return Report(base, findings, value["notes"], value["fixed"], value["stats"], first=first)


def _smoke(value: dict[str, Any]) -> Smoke:
    checks = tuple(
        Check(**{**row, "warnings": tuple(row["warnings"]), "seconds": float(row["seconds"])})
        for row in value["checks"]
    )
    return Smoke(value["environment"], checks)
