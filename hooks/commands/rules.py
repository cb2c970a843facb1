"""``torchrl-lint rules``: the list of rules; as markdown with the documentation of each and what no rule judges, which is docs/rules.md."""

from __future__ import annotations

import argparse
import json

from ..project import Project
from ..rules import _find
from ..rules._not_built import OMISSIONS

SUMMARY = "List the rules: name, severity, whether they carry an edit, section of CLAUDE.md, summary"
NEEDS_PROJECT = False


def configure(parser: argparse.ArgumentParser) -> None:
    """Takes nothing of its own."""


def main(arguments: argparse.Namespace, project: Project | None) -> int:
    rules = [_find.rule(name) for name in _find.names()]
    rows = [
        {
            "rule": rule.name,
            "severity": rule.severity,
            "edit": rule.repair is not None,
            "section": rule.section,
            "summary": rule.summary,
        }
        for rule in rules
    ]
    if arguments.format == "json":
        print(json.dumps({"schema": 1, "rules": rows}, indent=1))
    elif arguments.format == "markdown":
        print("| rule | severity | edit | CLAUDE.md | what it finds |\n|---|---|---|---|---|")
        for row in rows:
            print(
                f"| [{row['rule']}](#{row['rule']}) | {row['severity']} | {'yes' if row['edit'] else ''} | {row['section']} | {row['summary']} |"
            )
        for rule in rules:
            print(f"\n## {rule.name}\n\n*{rule.severity}*\n\n{rule.documentation}")
        print("\n## What no rule judges\n\n| CLAUDE.md | what it asks for | why no rule |\n|---|---|---|")
        for section, asked, why in OMISSIONS:
            print(f"| {section} | {asked} | {why} |")
    else:
        width = max(len(row["rule"]) for row in rows)
        for row in rows:
            edit = "edit" if row["edit"] else "    "
            print(f"{row['rule']:{width}}  {row['severity']:8}  {edit}  {row['section']:4}  {row['summary']}")
    return 0
