"""``torchrl-lint api-diff FROM [REF]``: what changed in the public API from one release to another."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..project import Project
from ..project.api import Break, compare
from ..project.public import find, public
from ..project.releases import upcoming
from ..project.successors import successor
from ..project.warned import Warned, warned
from ..run import UsageError

SUMMARY = (
    "Tell what of the public API is gone, renamed, moved or changed from one release to another, and what was announced"
)

KINDS = {
    "removed": "Removed",
    "moved": "Moved",
    "renamed": "Renamed",
    "default": "Defaults changed",
    "required": "Now required",
    "positional": "No longer in its place",
    "added": "Added",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="FROM", help="the older release, for example v0.13.0")
    # Suppressed, so that an absent REF leaves what --ref named.
    parser.add_argument(
        "ref", nargs="?", default=argparse.SUPPRESS, metavar="REF", help="the newer one (default: the working tree)"
    )


def main(arguments: argparse.Namespace, project: Project) -> int:
    if project.tree.git is None:
        raise UsageError(f"{arguments.repo}: not a git repository, so there is no {arguments.old} to compare with")
    old = project.at(arguments.old)
    entries = changes(old, project)
    unread = sorted({*old.tree.unreadable, *project.tree.unreadable})
    if arguments.format == "json":
        print(
            json.dumps(
                {
                    "schema": 1,
                    "from": old.tree.label,
                    "to": project.tree.label,
                    "changes": entries,
                    "unread": unread,
                },
                indent=1,
            )
        )
    else:
        print("\n".join(_show(old, project, entries, unread, arguments.format)))
    return 0


def changes(old: Project, new: Project) -> list[dict[str, Any]]:
    """What changed in the public API, as the entries of the json format."""
    entries = [_entry(old, new, item) for item in compare(old, new)]
    return entries + [{"kind": "added", "symbol": path} for path in _added(old, new)]


def described(entry: Mapping[str, Any], quote: str) -> str:
    """One entry as a line without its kind.

    Args:
        quote: what stands around code.
    """
    symbol = f"{quote}{entry['symbol']}{quote}"
    if entry["kind"] == "added":
        return symbol
    told = {"no": "not announced", "yes": "announced"}.get(entry["announced"], f"announced for {entry['target']} only")
    if entry["announced"] == "yes" and entry["target"]:
        told += f" for {entry['target']}"
    if entry["kind"] == "default":
        was, now = (" ".join(entry[key].split()) for key in ("was", "now"))
        changed = f": {quote}{was}{quote} -> {quote}{now}{quote}" + ("" if entry["certain"] else " (may mean the same)")
    elif entry["kind"] in ("moved", "renamed"):
        changed = f" -> {quote}{entry['now']}{quote}"
    elif entry["kind"] == "required":
        changed = f": the default was {quote}{entry['was']}{quote}"
    elif entry["kind"] == "positional":
        keyword = entry["was"] == "by position"
        changed = f": {entry['was']} -> {entry['now']}" if keyword else f": {quote}{entry['now']}{quote} has its place"
    else:
        changed = ""
    place = entry["new_path"] or entry["path"]
    return f"{symbol}{changed} ({told}; {place}:{entry['new_line'] or entry['line']})"


def _entry(old: Project, new: Project, item: Break) -> dict[str, Any]:
    said, became = warned(old, item), successor(old, new, item)
    kind = "removed" if item.kind in ("name", "method", "member", "parameter") else item.kind
    if became:
        kind = "moved" if became.rpartition(".")[2] == item.symbol.rpartition(".")[2] else "renamed"
    return {
        "kind": kind,
        "symbol": item.symbol,
        "public": item.public,
        "now": became or item.now,
        "was": item.was,
        "certain": item.certain,
        "announced": _announced(new, said),
        "target": f"v0.{said.target}" if said and said.target is not None else None,
        "path": item.where[0],
        "line": item.where[1],
        "new_path": item.here[0] if item.here else None,
        "new_line": item.here[1] if item.here else None,
    }


def _announced(new: Project, said: Warned | None) -> str:
    if said is None:
        return "no"
    following = upcoming(new)
    early = said.target is not None and following is not None and said.target > following
    return "for a later release" if early else "yes"


def _added(old: Project, new: Project) -> list[str]:
    """New public names, each under its shortest path."""
    known = public(old)
    found: dict[tuple, str] = {}
    for path in sorted(public(new).keys() - known.keys(), key=lambda path: (path.count("."), path)):
        meant = public(new)[path]
        if find(old, path) is not None:
            continue  # a module that became a package exports nothing new
        found.setdefault((meant.path, meant.name, path.rpartition(".")[2]), path)
    return sorted(found.values())


def _show(old: Project, new: Project, entries: list[dict[str, Any]], unread: list[str], how: str) -> Iterator[str]:
    mark = how == "markdown"
    yield f"{'# ' if mark else ''}API from {old.tree.label} to {new.tree.label}"
    for kind, title in KINDS.items():
        rows = [entry for entry in entries if entry["kind"] == kind]
        if rows:
            yield ""
            yield f"## {title} ({len(rows)})" if mark else f"{title} ({len(rows)})"
            yield from [""] if mark else []
            yield from (f"- {described(row, '`')}" if mark else f"  {described(row, '')}" for row in rows)
    if not entries:
        yield "no difference"
    if unread:
        yield ""
        yield f"not read, so not compared: {', '.join(unread[:3])}{f' and {len(unread) - 3} more' if len(unread) > 3 else ''}"
