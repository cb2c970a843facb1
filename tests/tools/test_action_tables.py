"""The page of inputs and outputs, against the actions and workflows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parent.parent.parent


def test_the_page_is_what_the_script_prints() -> None:
    """Repair: python tools/action_tables.py > docs/actions.md."""
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "action_tables.py"], capture_output=True, encoding="utf-8", check=True
    )
    assert (ROOT / "docs" / "actions.md").read_text(encoding="utf-8") == done.stdout


def test_every_action_and_reusable_workflow_is_on_the_page() -> None:
    headings = re.findall(r"^## (\S+)$", (ROOT / "docs" / "actions.md").read_text(encoding="utf-8"), re.MULTILINE)
    actions = {path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("actions/*/action.yml")}
    workflows = {path for path in ROOT.glob(".github/workflows/*.yml") if "workflow_call:" in path.read_text()}
    assert set(headings) == actions | {path.relative_to(ROOT).as_posix() for path in workflows}


def test_names_are_kebab_case_and_described() -> None:
    for path in (*ROOT.glob("actions/*/action.yml"), *ROOT.glob(".github/workflows/*.yml")):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        described = document if "runs" in document else (document[True].get("workflow_call") or {})
        for kind in ("inputs", "outputs"):
            for name, value in described.get(kind, {}).items():
                assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name), f"{path}: {name}"
                assert value["description"], f"{path}: {name}"
                assert kind == "outputs" or "default" in value, f"{path}: {name} has no default"
