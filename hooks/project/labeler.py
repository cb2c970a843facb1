"""Which labels GitHub's labeler sets for a list of changed files."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Mapping
from typing import NamedTuple

from ..facts.labeler import python_expression
from ..facts.records_ci import Block, Config, Label, Labels, Match
from . import Project
from .globs import matches


class Asked(NamedTuple):
    """A label and the files that call for it, in order; ``line`` is that of the label in the configuration."""

    label: str
    line: int
    files: tuple[str, ...]


class _Change(NamedTuple):
    files: list[str]
    branches: dict[str, str]


def config_path(project: Project) -> str:
    """The labeler's configuration."""
    return posixpath.join(posixpath.dirname(project.profile["workflows"]), "labeler.yml")


def asked(project: Project, files: list[str], environment: Mapping[str, str] = os.environ) -> list[Asked]:
    """The labels for some changed files, in the order of the configuration.

    Branch names are those of the pull request where a GitHub job runs for one; by hand the base is "main" and the head is
    not known.
    """
    facts = project.labels(config_path(project))
    if facts is None or not files:
        return []
    change = _Change(
        files,
        {
            "base-branch": environment.get("GITHUB_BASE_REF") or "main",
            "head-branch": environment.get("GITHUB_HEAD_REF") or "",
        },
    )
    return [Asked(label.name, label.line, _because(label, change)) for label in facts.labels if _holds(label, change)]


def globs(facts: Labels) -> list[tuple[str, str, int]]:
    """(label, glob, line) of every glob."""
    return [
        (label.name, pattern.text, pattern.line)
        for label in facts.labels
        for block in label.blocks
        for config in block.configs
        for match in config.matches
        if "branch" not in match.how
        for pattern in match.patterns
    ]


def _holds(label: Label, change: _Change) -> bool:
    return all(_block(block, change) for block in label.blocks)


def _block(block: Block, change: _Change) -> bool:
    if block.kind == "all":
        return all(_config_all(config, change) for config in block.configs)
    return any(match_holds(match, change) for config in block.configs for match in config.matches)


def _config_all(config: Config, change: _Change) -> bool:
    return all(match_holds(match, change) for match in config.matches)


def match_holds(match: Match, change: _Change) -> bool:
    """Whether one condition holds."""
    texts = [pattern.text for pattern in match.patterns]
    if match.how in change.branches:
        name = change.branches[match.how]
        return bool(name) and any(_searches(text, name) for text in texts)
    if match.how == "any-glob-to-any-file":
        return any(matches(text, path) for text in texts for path in change.files)
    if match.how == "any-glob-to-all-files":
        return any(all(matches(text, path) for path in change.files) for text in texts)
    if match.how == "all-globs-to-any-file":
        return any(all(matches(text, path) for text in texts) for path in change.files)
    return all(matches(text, path) for text in texts for path in change.files)


def _searches(text: str, name: str) -> bool:
    try:
        return re.search(python_expression(text), name) is not None
    except re.error:
        return False


def _because(label: Label, change: _Change) -> tuple[str, ...]:
    """The files that a glob of the label matches; all of them where none does."""
    texts = [
        pattern.text
        for block in label.blocks
        for config in block.configs
        for match in config.matches
        if match.how not in change.branches
        for pattern in match.patterns
    ]
    return tuple([path for path in change.files if any(matches(text, path) for text in texts)] or change.files)
