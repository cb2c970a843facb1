"""``torchrl-lint explain RULE``: a rule's documentation."""

from __future__ import annotations

import argparse
import json
from difflib import get_close_matches

from ..project import Project
from ..rules import _find
from ..run import UsageError

SUMMARY = "Explain a rule: what it protects, a bad and a good example, how to fix"
NEEDS_PROJECT = False


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", metavar="RULE")


def main(arguments: argparse.Namespace, project: Project | None) -> int:
    try:
        rule = _find.rule(arguments.rule)
    except KeyError:
        close = get_close_matches(arguments.rule, _find.names(), 1)
        more = f"; did you mean {close[0]}?" if close else "; torchrl-lint rules lists them"
        raise UsageError(f"unknown rule {arguments.rule!r}{more}") from None
    if arguments.format == "json":
        fields = ("name", "summary", "severity", "section", "documentation")
        print(json.dumps({"schema": 1, **{field: getattr(rule, field) for field in fields}}, indent=1))
    elif arguments.format == "markdown":
        print(f"## {rule.name}\n\n*{rule.severity}*\n\n{rule.documentation}")
    else:
        print(f"{rule.name} ({rule.severity})\n\n{rule.documentation}")
    return 0
