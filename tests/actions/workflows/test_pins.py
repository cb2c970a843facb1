"""Pins of third-party actions, against what those actions are at that commit (``pinned.toml``)."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from .act import ROOT, TOOLKIT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PINNED = tomllib.loads(Path(__file__).with_name("pinned.toml").read_text())
# What users are told to write counts like what runs here.
FILES = sorted(
    path
    for pattern in (".github/workflows/*.yml", "actions/*/action.yml", "README.md", "docs/*.md")
    for path in ROOT.glob(pattern)
)


class Use(NamedTuple):
    """One ``uses:`` of an action of somebody else's."""

    where: str
    action: str
    commit: str
    comment: str
    inputs: tuple[str, ...]


def uses() -> Iterator[Use]:
    for path in FILES:
        text = path.read_text()
        blocks = re.findall(r"^```ya?ml\n(.*?)^```", text, re.DOTALL | re.MULTILINE) if path.suffix == ".md" else [text]
        for block in blocks:
            comments = dict(re.findall(r"uses: (\S+) # (\S+)", block))
            for step in _steps(yaml.safe_load(block)):
                action, _, commit = step["uses"].partition("@")
                if not action.startswith(("./", f"{TOOLKIT}/")):
                    yield Use(str(path), action, commit, comments.get(step["uses"], ""), tuple(step.get("with", {})))


def _steps(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        if "uses" in node:
            yield node
        for value in node.values():
            yield from _steps(value)
    elif isinstance(node, list):
        for value in node:
            yield from _steps(value)


@pytest.mark.parametrize("use", list(uses()))
def test_a_pin_is_a_known_commit_with_its_version_and_inputs(use: Use) -> None:
    """Linters look neither behind a commit's hash at the inputs nor at the runtime; deprecated ones end by surprise."""
    known = PINNED[use.action]
    assert (use.commit, use.comment) == (known["commit"], known["version"]), use.where
    assert set(use.inputs) <= set(known["inputs"]), use.where
    assert known["using"] == ("workflow_call" if use.action.endswith(".yml") else "node24")


def test_every_known_pin_is_used() -> None:
    assert {use.action for use in uses()} == set(PINNED)
