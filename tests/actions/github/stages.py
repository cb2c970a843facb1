"""The files that the stages of a run hand on, as the commands write them."""

from __future__ import annotations

import json
from typing import Any

from torchrl_preflight.checks.record import Check
from torchrl_preflight.checks.record import Report as Smoke
from torchrl_preflight.checks.report import as_json
from torchrl_preflight.hooks.base import Base
from torchrl_preflight.hooks.finding import Finding, First
from torchrl_preflight.hooks.report import Report, Style, render

PATCH = (
    "--- a/test/test_a.py\n+++ b/test/test_a.py\n@@ -1,2 +1,3 @@\n import pytest\n+@pytest.mark.gpu\n def test_a():\n"
)


def finding(number: int, severity: str = "error", **more: Any) -> Finding:
    """A finding of its own."""
    values = {
        "path": f"test/test_{number}.py",
        "line": number + 1,
        "symbol": f"test_{number}",
        "message": f"message {number}",
        "hint": f"hint {number}",
        "severity": severity,
        "rule": "gpu-marker-missing",
        **more,
    }
    return Finding(**values)


def lint(*findings: Finding, notes: tuple[str, ...] = (), first: tuple[First, ...] = ()) -> dict[str, Any]:
    """``lint.json``."""
    stats = {"files": 9, "judged": 3}
    report = Report(Base("b" * 40, "first parent"), list(findings), list(notes), [], stats, first=first)
    return json.loads(render("json", report, Style()))


def labels(**names: list[str] | str) -> dict[str, Any]:
    """``labels.json``: label -> the jobs that it starts; an underscore is a slash."""
    rows = [
        {
            "label": name.replace("_", "/"),
            "path": "torchrl/x.py",
            "reason": f"{name} for torchrl/x.py",
            "jobs": list(jobs),
        }
        for name, jobs in names.items()
    ]
    return {"schema": 1, "base": "b" * 40, "labels": rows, "olddeps": False, "optdeps": False, "notes": []}


def plan(**more: Any) -> dict[str, Any]:
    """``plan.json``."""
    tests = [{"path": "test/test_a.py", "reason": "changed", "minutes": 1.5}]
    values = {"anything": True, "areas": ["envs"], "tests": tests, "gpu": True, "notes": []}
    return {"schema": 1, "checks": [], "labels": [], "unmapped": [], "matrix": {"include": []}, **values, **more}


def smoke(*checks: Check) -> dict[str, Any]:
    """``smoke-NAME.json``."""
    environment = {"python": "3.12", "gpus": [], "torch": None}
    return as_json(Smoke(environment, checks or (Check("envs/rollout", "envs", "cpu", "passed", seconds=0.5),)))
