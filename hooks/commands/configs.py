"""``torchrl-lint configs``: every Config, the class behind it, and where the two differ."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from ..project import Project
from ..project.allowlist import allowed, needless
from ..project.configs import Config, classes, configs, registration, target
from ..project.parity import Difference, differences

SUMMARY = (
    "List the Hydra Configs: class, group and name in the ConfigStore, fields missing, unknown, differing or dropped"
)

_KINDS = ("missing", "unknown", "differs", "dropped")
_FOOT = "In parentheses: advisories. A name with ! is a warning."
_MARKS = {"error": "{}", "warning": "{}!", "advisory": "({})"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Takes nothing of its own."""


def main(arguments: argparse.Namespace, project: Project) -> int:
    rows = [_row(project, config) for config in configs(project)]
    entries = [{"name": name, "why": why} for name, why in needless(project)]
    if arguments.format == "json":
        listing = {
            "path": project.profile["configs-allowlist"][0],
            "entries": len(allowed(project)),
            "needless": entries,
        }
        print(json.dumps({"schema": 1, "configs": rows, "allowlist": listing}, indent=1))
        return 0
    if not rows:
        print(f"no Configs: this tree has no {project.profile['configs']}")
        return 0
    lines = [*_table(rows, arguments.format), "", _total(rows), _FOOT, *_entries(project, entries, arguments.format)]
    print("\n".join(lines))
    return 0


def _row(project: Project, config: Config) -> dict[str, Any]:
    found = differences(project, config)
    stored = [f"{item.group}/{item.name}" for item in registration(project).stored if item.node == config.name]
    place = target(project, config) if config.target else ""
    return {
        "config": config.name,
        "path": config.path,
        "line": config.record.line,
        "target": config.target,
        "classes": [item.record.qualname for item in classes(project, config)],
        "unresolved": place is None,
        "unread": place if isinstance(place, str) else "",
        "exported": config.name in registration(project).exported,
        "stored": list(dict.fromkeys(stored)),
        **{kind: [_told(item) for item in found if item.kind == kind] for kind in _KINDS},
    }


def _told(item: Difference) -> dict[str, str]:
    return {"name": item.name, "severity": item.severity, "message": item.message}


def _table(rows: list[dict[str, Any]], how: str) -> Iterator[str]:
    head = ["config", "class", "group/name", *_KINDS]
    cells = [
        [row["config"], _class(row), ", ".join(row["stored"]) or "-", *(_names(row[kind]) for kind in _KINDS)]
        for row in rows
    ]
    if how == "markdown":
        yield f"| {' | '.join(head)} |"
        yield "|---" * len(head) + "|"
        for cell in cells:
            yield f"| `{cell[0]}` | {' | '.join(text.replace('|', chr(92) + '|') for text in cell[1:])} |"
        return
    widths = [max(map(len, column)) for column in zip(head[:3], *(cell[:3] for cell in cells))]
    yield "  ".join(text.ljust(width) for text, width in zip(head, widths)).rstrip()
    for cell in cells:
        yield "  ".join(text.ljust(width) for text, width in zip(cell, widths)).rstrip()
        yield from (f"    {kind}: {text}" for kind, text in zip(_KINDS, cell[3:]) if text != "-")


def _class(row: dict[str, Any]) -> str:
    if row["classes"]:
        return ", ".join(row["classes"])
    return (
        f"{row['target']} does not exist"
        if row["unresolved"]
        else f"{row['target']} (not read)"
        if row["target"]
        else "-"
    )


def _names(items: list[dict[str, str]]) -> str:
    return ", ".join(_MARKS[item["severity"]].format(item["name"]) for item in items) or "-"


def _total(rows: list[dict[str, Any]]) -> str:
    errors = {kind: sum(item["severity"] == "error" for row in rows for item in row[kind]) for kind in _KINDS}
    told = ", ".join(f"{count} {kind}" for kind, count in errors.items())
    clean = sum(
        not any(item["severity"] == "error" for kind in _KINDS for item in row[kind]) and not row["unresolved"]
        for row in rows
    )
    return f"{len(rows)} Configs, {clean} of them without an error; errors: {told}."


def _entries(project: Project, entries: list[dict[str, str]], how: str) -> Iterator[str]:
    path, name = project.profile["configs-allowlist"]
    if allowed(project):
        yield f"{len(entries)} of the {len(allowed(project))} entries of {name} ({path}) are no longer needed{':' if entries else '.'}"
        yield from (
            f"- `{item['name']}`: {item['why']}" if how == "markdown" else f"  {item['name']}: {item['why']}"
            for item in entries
        )
