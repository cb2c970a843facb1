"""``torchrl-lint public-api``: every public name, all of its paths, where it is documented, and what its docstring lacks."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from ..facts.records import Class, Function
from ..project import Project
from ..project.arguments import Gap, gaps
from ..project.docs import all_of
from ..project.documented import documented
from ..project.public import paths_of, public
from ..rules._public import Subject, is_exempt

SUMMARY = "List the public API: every name, all of its paths, where it is documented, and the state of its docstring"

_OWN = ("class", "function")
_SHOWN = 4


def configure(parser: argparse.ArgumentParser) -> None:
    """Takes nothing of its own."""


def main(arguments: argparse.Namespace, project: Project) -> int:
    rows = sorted((_row(project, where, paths) for where, paths in paths_of(project).items()), key=_by_name)
    if arguments.format == "json":
        print(json.dumps({"schema": 1, "names": rows, "notes": project.notes}, indent=1))
    else:
        print("\n".join(_show(rows, project.notes, arguments.format == "markdown")))
    return 0


def _by_name(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["name"], row["path"] or "", row["definition"]


def _row(project: Project, where: tuple[str, str], paths: list[str]) -> dict[str, Any]:
    meant = public(project)[paths[0]]
    kind = "class" if isinstance(meant.record, Class) else "function" if isinstance(meant.record, Function) else "value"
    return {
        "name": paths[0],
        "paths": paths,
        "kind": kind if where[0] else "foreign",
        "definition": where[1],
        "path": where[0] or None,
        "line": meant.record.line if where[0] and meant.record else None,
        "documented": [
            {"name": entry.name, "path": entry.path, "line": entry.line} for entry in documented(project).get(where, [])
        ],
        "lacks": _lacks(project, Subject(where[0], meant.record, paths[0])) if kind in _OWN and where[0] else [],
    }


def _lacks(project: Project, item: Subject) -> list[str]:
    """What the rules about docstrings miss in one, in a few words each."""
    docs = all_of(project, item.path, item.record)
    if not docs:
        return ["docstring"]
    shown = any(found.prompts for found in docs) or is_exempt(project, item)
    return ([] if shown else ["example"]) + [_told(gap) for gap in gaps(project, item.path, item.record)]


def _told(gap: Gap) -> str:
    if gap.kind in ("unlisted", "partial"):
        return "arguments" if gap.kind == "unlisted" else "most arguments"
    if gap.kind == "absent":
        return f"argument {gap.name}"
    if gap.kind == "default":
        return f"default of {gap.name}"
    return f"argument {gap.now} (says {gap.name})" if gap.kind == "renamed" else f"no argument {gap.name} (not taken)"


def _show(rows: list[dict[str, Any]], notes: list[str], mark: bool) -> Iterator[str]:
    own = [row for row in rows if row["kind"] in _OWN]
    listed = sum(bool(row["documented"]) for row in own)
    head = (
        f"{len(rows)} public things under {sum(len(row['paths']) for row in rows)} paths; {len(own)} classes and functions: "
        f"{listed} documented, {sum(not row['lacks'] for row in own)} with a docstring that lacks nothing"
    )
    yield from [f"# {head}" if mark else head, ""]
    if mark:
        yield from ["| name | also as | kind | documented in | docstring lacks |", "|---|---|---|---|---|"]
    for row in rows:
        also = row["paths"][1:]
        places = [f"{place['path']}:{place['line']}" for place in row["documented"]]
        lacks = ", ".join(row["lacks"][:_SHOWN]) + (" and more" if len(row["lacks"]) > _SHOWN else "")
        if mark:
            cells = [f"`{row['name']}`", ", ".join(f"`{path}`" for path in also), row["kind"], ", ".join(places), lacks]
            yield f"| {' | '.join(cells)} |"
            continue
        yield f"{row['name']}  [{row['kind']}]"
        yield from (f"    also {path}" for path in also)
        yield from (f"    documented in {place}" for place in places)
        if row["kind"] in _OWN:
            yield from [] if places else ["    documented nowhere"]
            yield from [f"    docstring lacks: {lacks}"] if lacks else []
    yield from ["", *notes] if notes else []
