"""``torchrl-lint changelog FROM [TO]``: what the release notes are made from."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..git import Git, GitError
from ..project import Project
from ..project.history import Commit, commits, shipped, stacks, tag_of, taken_back
from ..report import printable
from ..report.markdown import code, text
from ..run import UsageError
from .api_diff import KINDS, changes, described
from .deprecations import ledger

SUMMARY = "The raw material of release notes: commits by tag and stack, what of the API changed, and what is announced"

_UNTAGGED = "Without a tag"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="FROM", help="the older release, for example v0.13.0")
    # Suppressed, so that an absent TO leaves what --ref named.
    parser.add_argument("ref", nargs="?", default=argparse.SUPPRESS, metavar="TO", help="the newer one (default: HEAD)")


def main(arguments: argparse.Namespace, project: Project) -> int:
    git = project.tree.git
    if git is None:
        raise UsageError(f"{arguments.repo}: not a git repository, so there are no commits to list")
    old, new = _commit(git, arguments.old), _commit(git, arguments.ref or "HEAD")
    before = project.at(arguments.old)
    found = commits(git, old, new)
    if not found and commits(git, new, old):
        raise UsageError(
            f"{arguments.old} has all of {arguments.ref or 'HEAD'} and more; did you mean the other way round?"
        )
    gone = shipped(project, git, old, new, found)
    back = taken_back(found)
    kept = [commit for commit in found if commit.id not in gone and commit.id not in back]
    known = {_said(row) for row in ledger(before)}
    rows = [{**row, "since": "before" if _said(row) in known else "new"} for row in ledger(project)]
    whole = {
        "schema": 1,
        "from": arguments.old,
        "to": arguments.ref or "HEAD",
        "commits": [
            _entry(commit) | {"stack": number if len(group) > 1 else None}
            for number, group in enumerate(stacks(kept), 1)
            for commit in group
        ],
        "left_out": [
            _entry(commit) | {"shipped_in": gone.get(commit.id), "reverted_with": back.get(commit.id)}
            for commit in found
            if commit.id in gone or commit.id in back
        ],
        "api": changes(before, project),
        "announcements": [{key: value for key, value in row.items() if key != "minor"} for row in rows],
        "notes": [*before.notes, *project.notes],
    }
    if arguments.format == "json":
        print(json.dumps(whole, indent=1))
    else:
        print("\n".join(_Page(arguments.format == "markdown").lines(whole)))
    return 0


def _commit(git: Git, name: str) -> str:
    found = git.commit(name)
    if found is None:
        raise GitError(f"{name}: no such commit or tag here; fetch it (git fetch origin --tags)")
    return found


def _entry(commit: Commit) -> dict[str, Any]:
    return {
        "commit": commit.id,
        "tag": tag_of(commit.title),
        "title": commit.title,
        "number": commit.numbers[0] if commit.numbers else None,
        "numbers": list(commit.numbers),
        "author": commit.author,
    }


def _said(row: dict[str, Any]) -> tuple[str, str | None, str]:
    """What makes two announcements the same one, wherever it stands."""
    return row["symbol"].rpartition(".")[2], row["target"], row["text"]


class _Page:
    """The same page as text and as markdown; titles, names and texts come from the repository and are shown as they are."""

    def __init__(self, markdown: bool) -> None:
        self.markdown = markdown
        self.text = text if markdown else printable
        self.quote = "`" if markdown else ""

    def lines(self, whole: dict[str, Any]) -> Iterator[str]:
        count, left = len(whole["commits"]), whole["left_out"]
        yield self.head(1, f"{whole['from']} to {whole['to']}: {count} commit{'' if count == 1 else 's'}")
        for tag, groups in _by_tag(whole["commits"]):
            yield from ("", self.head(2, f"{tag} ({sum(map(len, groups))})"), *self.gap())
            for group in groups:
                if len(group) == 1:
                    yield f"- {self.item(group[0])}"
                else:
                    yield f"- a stack of {len(group)}:"
                    yield from (f"  - {self.item(entry)}" for entry in group)
        if left:
            yield from ("", self.head(2, f"Left out ({len(left)})"), *self.gap())
            for entry in left:
                why = f"shipped in {entry['shipped_in']}" if entry["shipped_in"] else "taken back"
                yield f"- {self.item(entry)}: {why}"
        yield from self.api(whole["api"])
        yield from self.announced(whole["announcements"])
        yield from ["", *(f"note: {self.text(note)}" for note in whole["notes"])] if whole["notes"] else []

    def api(self, entries: list[dict[str, Any]]) -> Iterator[str]:
        for kind, title in KINDS.items():
            rows = [entry for entry in entries if entry["kind"] == kind]
            if rows:
                yield from ("", self.head(2, f"API: {title[0].lower()}{title[1:]} ({len(rows)})"), *self.gap())
                yield from (f"- {printable(described(row, self.quote))}" for row in rows)

    def announced(self, rows: list[dict[str, Any]]) -> Iterator[str]:
        groups = {
            "Newly announced": [row for row in rows if row["since"] == "new"],
            "Announced before, and due": [row for row in rows if row["since"] == "before" and row["status"] == "due"],
        }
        for title, group in groups.items():
            if group:
                yield from ("", self.head(2, f"{title} ({len(group)})"), *self.gap())
            for row in group:
                target = row["target"] or "no release named"
                place = f"{row['path']}:{row['line']}"
                name = row["owner"] or row["symbol"]
                yield f"- {target}: {self.code(name)}: {self.text(row['text'])} ({self.code(place)})"

    def item(self, entry: dict[str, Any]) -> str:
        number = f"#{entry['number']}" if entry["number"] else entry["commit"][:9]
        return f"{self.text(entry['title'])} ({number}, {self.text(entry['author'])})"

    def code(self, words: str) -> str:
        return code(words) if self.markdown else printable(words)

    def head(self, level: int, words: str) -> str:
        return f"{'#' * level} {self.text(words)}" if self.markdown else printable(words)

    def gap(self) -> list[str]:
        return [""] if self.markdown else []


def _by_tag(entries: list[dict[str, Any]]) -> list[tuple[str, list[list[dict[str, Any]]]]]:
    """(tag, groups): each stack as a whole under the tag that most of it has or its base, the largest sections first."""
    groups: dict[Any, list[dict[str, Any]]] = {}
    for position, entry in enumerate(entries):
        groups.setdefault(("stack", entry["stack"]) if entry["stack"] else position, []).append(entry)
    spelled = Counter(entry["tag"] for entry in entries)
    sections: dict[str, list[list[dict[str, Any]]]] = {}
    for group in groups.values():
        most = Counter(entry["tag"].lower() for entry in reversed(group)).most_common(1)[0][0]
        sections.setdefault(most, []).append(group)
    # A tag in two spellings is one; the usual one is shown, and what has none comes last.
    names = {key: max((tag for tag in spelled if tag.lower() == key), key=spelled.__getitem__) for key in sections}
    order = sorted(sections, key=lambda key: (not key, -sum(map(len, sections[key])), key))
    return [(f"[{names[key]}]" if key else _UNTAGGED, sections[key]) for key in order]
