"""``torchrl-lint pins [PACKAGE]``: every constraint on a package, with the file and line that has it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from ..project import Project
from ..project.optional import normal
from ..project.pins import Pin, constraint, pinning, pins
from ..project.together import belongs, is_apart
from ..report import printable
from ..run import UsageError

SUMMARY = "Every version constraint on a package, with its file and line, and whether those that belong together agree"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("package", nargs="?", metavar="PACKAGE", help="as pip names it (default: all)")


def main(arguments: argparse.Namespace, project: Project) -> int:
    wanted = normal(arguments.package) if arguments.package else ""
    found: dict[str, list[Pin]] = {}
    for path in pinning(project):
        for pin in pins(project, path):
            if not wanted or pin.package == wanted:
                found.setdefault(pin.package, []).append(pin)
    if wanted and not found:
        raise UsageError(f"{arguments.package}: no file of {project.tree.label} asks for it; is that its name for pip?")
    if not wanted:
        found = {package: rows for package, rows in found.items() if any(pin.clauses for pin in rows)}
    rows = [(package, [_row(project, pin) for pin in found[package]]) for package in sorted(found)]
    if arguments.format == "json":
        table = [{"package": package, "agree": _agree(pairs), "pins": pairs} for package, pairs in rows]
        print(json.dumps({"schema": 1, "packages": table, "notes": project.notes}, indent=1))
    else:
        notes = [f"note: {printable(note)}" for note in project.notes]
        print("\n".join([*_show(rows, arguments.format == "markdown", bool(wanted)), *notes]))
    return 0


def _row(project: Project, pin: Pin) -> dict[str, Any]:
    together = belongs(project, pin.path)
    return {
        "path": pin.path,
        "line": pin.line,
        "text": pin.text,
        "constraint": ",".join(pin.clauses) or None,
        "normal": sorted(constraint(pin)),
        "where": pin.where,
        "marker": pin.marker,
        "group": "apart" if together and is_apart(project, pin) else "together" if together else "",
    }


def _agree(rows: list[dict[str, Any]]) -> bool:
    """Whether all that belong together ask for the same."""
    return (
        len(
            {tuple(row["normal"]) for row in rows if row["group"] == "together" and row["normal"] and not row["marker"]}
        )
        < 2
    )


def _show(rows: list[tuple[str, list[dict[str, Any]]]], mark: bool, one: bool) -> Iterator[str]:
    for package, pairs in rows:
        bare = [row for row in pairs if not row["constraint"]]
        state = "agree" if _agree(pairs) else "do not agree"
        count = len(pairs) - len(bare)
        head = f"{package}: {count} constraint{'' if count == 1 else 's'}; those that belong together {state}"
        yield f"## {head}" if mark else head
        shown: dict[str, list[dict[str, Any]]] = {}
        for row in pairs if one else [row for row in pairs if row["constraint"]]:
            shown.setdefault(row["constraint"] or "any version", []).append(row)
        for asked, same in sorted(shown.items(), key=lambda item: (item[0] == "any version", -len(item[1]), item[0])):
            yield f"- `{asked}`" if mark else f"  {printable(asked)}"
            for row in same:
                more = [
                    row["where"],
                    row["marker"],
                    {"apart": "apart on purpose", "together": ""}.get(row["group"], ""),
                ]
                told = f"  ({'; '.join(filter(None, more))})" if any(more) else ""
                place = f"{row['path']}:{row['line']}"
                star = "*" if row["group"] == "together" else " "
                yield f"  - {star} `{place}`{told}" if mark else f"    {star} {printable(place + told)}"
    yield "* belongs together with the others that have one" if rows else "no file asks for a version of anything"
