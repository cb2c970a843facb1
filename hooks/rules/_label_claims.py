"""What texts say of labels and tags that is not so, for ``label-inconsistent``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..finding import Finding
from ..project import Project
from ..project.ci import ci_folder
from ..project.labels import gating, tags

_RERUN = re.compile(r"\bre-?run(?:ning)?\s+(?:(?:the|a|an|all|your)\s+)?(?:workflow|job|suite|check)", re.IGNORECASE)
_EXACT = re.compile(r"(?<!in)(?<!in-)\bcase[- ]sensitive", re.IGNORECASE)


def speaks_of_labels(project: Project, path: str) -> bool:
    """Whether a file is one that tells people how labels work: a document at the root, or anything of the CI folder."""
    return path.startswith(ci_folder(project) + "/") or ("/" not in path and path.endswith(".md"))


def claims(project: Project) -> Iterator[Finding]:
    """Advice to run a workflow again after a label was set, and tags said to be case-sensitive that are not."""
    yield from _again(project)
    yield from _cases(project)


def _again(project: Project) -> Iterator[Finding]:
    if not gating(project):
        return
    for path in project.tree.paths():
        if not speaks_of_labels(project, path) or not path.endswith((".md", ".yml", ".yaml")):
            continue
        text = project.text(path) or ""
        if not _RERUN.search(text):
            continue
        lines = text.splitlines()
        if not path.endswith(".md"):
            lines = [line if line.lstrip().startswith("#") else "" for line in lines]
        for first, paragraph in _paragraphs(lines):
            found = _RERUN.search(paragraph)
            if found and re.search(r"\blabels?\b", paragraph, re.IGNORECASE):
                line = first + paragraph.count("\n", 0, found.start())
                yield Finding(
                    path,
                    line,
                    "label",
                    "A workflow that is run again sees the labels of the event that started it, so it does not see one set since",
                    "Say that it takes a new push, or closing and opening the pull request again.",
                    text="run again",
                    severity="advisory",
                )


def _cases(project: Project) -> Iterator[Finding]:
    known: dict[tuple[str, str], set[str]] = {}
    for item in tags(project):
        known.setdefault((item.path, item.tag.lower()), set()).add(item.tag)
    both = {path: sorted(names) for (path, _), names in reversed(known.items()) if len(names) > 1}
    for path, names in both.items():
        for number, line in enumerate((project.text(path) or "").splitlines(), 1):
            if _EXACT.search(line):
                yield Finding(
                    path,
                    number,
                    names[0],
                    f"The tags are said to be case-sensitive here, and {' and '.join(names)} are the same tag",
                    "Say which spellings are accepted.",
                    text="case-sensitive",
                    severity="advisory",
                )
                break


def _paragraphs(lines: list[str]) -> Iterator[tuple[int, str]]:
    """(line, text) of what stands between empty lines."""
    first, found = 1, []
    for number, line in enumerate([*lines, ""], 1):
        if line.strip(" #"):
            found.append(line)
            continue
        if found:
            yield first, "\n".join(found)
        first, found = number + 1, []
