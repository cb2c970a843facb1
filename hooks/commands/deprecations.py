"""``torchrl-lint deprecations``: the ledger of everything that the tree announces, by the release named."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from ..facts.records import Class
from ..project import Project
from ..project.announcements import Announcement, announcements, noted
from ..project.mro import mro
from ..project.public import paths_of, place, public
from ..project.releases import current, upcoming
from ..project.signatures import metaclass

SUMMARY = (
    "List every announced deprecation and coming change, the release that it names, whether it is due, and whose it is"
)

_DUE, _NEXT, _LATER, _OPEN = "due", "next", "later", "no release named"
_OWNERS = 3
_HEAD = ("| symbol | owner | category | where | text |", "|---|---|---|---|---|")


def configure(parser: argparse.ArgumentParser) -> None:
    """Takes nothing of its own."""


def main(arguments: argparse.Namespace, project: Project) -> int:
    version, following = current(project), upcoming(project)
    rows = ledger(project)
    if arguments.format == "json":
        shown = [{key: value for key, value in row.items() if key != "minor"} for row in rows]
        print(
            json.dumps(
                {
                    "schema": 1,
                    "version": _name(version),
                    "next": _name(following),
                    "announcements": shown,
                    "notes": project.notes,
                },
                indent=1,
            )
        )
    else:
        print("\n".join(_show(rows, version, following, project.notes, arguments.format)))
    return 0


def ledger(project: Project) -> list[dict[str, Any]]:
    """Every announcement of a tree, by the release that it names; ``minor`` is that as a number."""
    version, following = current(project), upcoming(project)
    rows = []
    for path in project.tree.paths(project.profile["package"], ".py"):
        rows += [
            _row(project, item, version, following) for item in (*announcements(project, path), *noted(project, path))
        ]
    rows.sort(key=lambda row: (row["minor"] is None, row["minor"] or 0, row["path"], row["line"]))
    return rows


def _row(project: Project, item: Announcement, version: int | None, following: int | None) -> dict[str, Any]:
    if item.target is None:
        status = _OPEN
    elif version is not None and item.target <= version:
        status = _DUE
    else:
        status = _NEXT if following is not None and item.target <= following else _LATER
    return {
        "target": _name(item.target),
        "minor": item.target,
        "status": status,
        "owner": _owner(project, item),
        "symbol": item.symbol,
        "path": item.path,
        "line": item.line,
        "category": item.site.category if item.site else None,
        "where": "docstring" if item.site is None else "logger" if item.site.logger else "warning",
        "text": " ".join(item.text.replace("\ufffc", "...").split()),
    }


def _name(minor: int | None) -> str | None:
    return None if minor is None else f"v0.{minor}"


def _owner(project: Project, item: Announcement) -> str:
    """The public name that users know: that of the function or class around, or of the classes that a metaclass makes."""
    name = item.symbol
    while name:
        if found := paths_of(project).get((item.path, name)):
            rest = item.symbol[len(name) :]
            return found[0] + ("" if rest in (".__init__", "") else rest)
        if made := _made_by(project).get((item.path, name)):
            more = f" and {len(made) - _OWNERS} more" if len(made) > _OWNERS else ""
            return ", ".join(made[:_OWNERS]) + more
        name = name.rpartition(".")[0]
    return ""


def _made_by(project: Project) -> dict[tuple[str, str], list[str]]:
    """Metaclass or private base -> public classes that come from it."""
    key = ("made by",)
    if key not in project.memo:
        found: dict[tuple[str, str], list[str]] = {}
        for (path, name), paths in paths_of(project).items():
            here = place(project, public(project)[paths[0]])
            if here is None or not isinstance(here.record, Class) or (here.path, here.record.qualname) != (path, name):
                continue
            kind = metaclass(mro(*here))
            for link in (*mro(*here)[1:], *(mro(kind.project, kind.path, kind.record) if kind else ())):
                if link.project is project and (link.path, link.name) not in paths_of(project):
                    found.setdefault((link.path, link.name), []).append(paths[0])
        project.memo[key] = {where: sorted(paths) for where, paths in found.items()}
    return project.memo[key]


def _show(
    rows: list[dict[str, Any]], version: int | None, following: int | None, notes: list[str], how: str
) -> Iterator[str]:
    mark = how == "markdown"
    head = f"{len(rows)} announcements; version {_name(version) or 'unknown'}, next release {_name(following) or 'unknown'}"
    yield f"# {head}" if mark else head
    for target in dict.fromkeys(row["target"] for row in rows):
        group = [row for row in rows if row["target"] == target]
        title = f"{target} ({group[0]['status']})" if target else f"{_OPEN} ({len(group)})"
        yield ""
        yield from [f"## {title}", "", *_HEAD] if mark else [title]
        for row in group:
            category = row["category"] or ("" if row["where"] == "docstring" else "no category")
            kind = row["where"] if row["where"] != "warning" else category
            place, text = f"{row['path']}:{row['line']}", row["text"]
            if mark:
                owner = f"`{row['owner']}`" if row["owner"] else ""
                cells = [f"`{row['symbol']}`", owner, kind, f"`{place}`", text.replace("|", "\\|")]
                yield f"| {' | '.join(cells)} |"
            else:
                yield f"  {place}  {row['owner'] or row['symbol']}  [{kind}]"
                yield f"      {text if len(text) <= 140 else text[:137] + '...'}"
    yield from ["", *notes] if notes else []
