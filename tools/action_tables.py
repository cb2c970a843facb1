"""Writes ``docs/actions.md``: inputs and outputs of the composite actions and reusable workflows, from their own files.

python tools/action_tables.py > docs/actions.md
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
_ACTIONS = ("setup", "lint", "plan", "smoke", "labels", "report")  # in the order in which they are used
_WORKFLOWS = ("preflight", "preflight-report")


def page() -> str:
    """The whole page, with a final newline."""
    lines = [
        "# Composite actions and reusable workflows",
        "",
        "Written by `python tools/action_tables.py > docs/actions.md`. [adopt.md](adopt.md) shows how they are used.",
    ]
    for name in _ACTIONS:
        action = yaml.safe_load((ROOT / "actions" / name / "action.yml").read_text(encoding="utf-8"))
        lines += ["", f"## actions/{name}", "", f"{action['description']}.", *_tables(action)]
    for name in _WORKFLOWS:
        workflow = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8"))
        jobs = workflow["jobs"].values()
        granted = sorted({f"{scope}: {level}" for job in jobs for scope, level in job["permissions"].items()})
        lines += ["", f"## .github/workflows/{name}.yml", "", f"Needs permissions `{', '.join(granted)}`."]
        # YAML takes the key `on` for true.
        lines += _tables(workflow[True]["workflow_call"])
    return "\n".join(lines) + "\n"


def _tables(described: Mapping[str, Any]) -> Iterator[str]:
    if inputs := described.get("inputs"):
        yield from ("", "| input | default | meaning |", "|---|---|---|")
        for name, value in inputs.items():
            default = str(value["default"]).lower() if isinstance(value["default"], bool) else value["default"]
            yield f"| `{name}` | {f'`{default}`' if default else ''} | {value['description']} |"
    if outputs := described.get("outputs"):
        yield from ("", "| output | meaning |", "|---|---|")
        yield from (f"| `{name}` | {value['description']} |" for name, value in outputs.items())


if __name__ == "__main__":
    print(page(), end="")
