"""Subcommands say the same in each of their formats: what json lists, text and markdown name, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from .test_configs import ALLOWED, CLASS, FOLDER, INIT, TABLE
from .test_labels import WORKFLOW
from .test_releases import EXPORT, OLD

Rows = Callable[[Any], list[list[Any]]]

LABELER = '"Environments":\n  - changed-files:\n    - any-glob-to-any-file: "torchrl/envs/**"\n'
WARNING = (
    "import torch\nimport warnings\n\n\nclass Renamed:\n    def get(self):\n"
    "        warnings.warn('get | x will change in v0.16.', FutureWarning)\n        return torch.get_default_device()\n"
)


@pytest.fixture
def rich(repo):
    """Two releases apart by one class, Configs that differ, tests in two jobs and a change that needs labels."""
    files = {
        "torchrl/envs/__init__.py": EXPORT,
        "torchrl/envs/storage.py": OLD,
        "torchrl/things.py": CLASS.format(""),
        f"{FOLDER}/__init__.py": INIT,
        f"{FOLDER}/things.py": TABLE,
        "test/test_configs.py": ALLOWED
        + "\n\ndef test_one():\n    assert True\n\n\ndef test_two():\n    assert True\n",
        ".github/labeler.yml": LABELER,
        ".github/workflows/suites.yml": WORKFLOW,
    }
    repo.commit("old", files)
    repo.git("tag", "v0.13.0")
    repo.commit(
        "new",
        {"torchrl/envs/storage.py": WARNING, "torchrl/envs/__init__.py": EXPORT.replace("Storage", "Renamed")},
    )
    repo.git("tag", "v0.14.0")
    return repo


def fields(key: str, *names: str) -> Rows:
    return lambda report: [[row[name] for name in names] for row in report[key]]


def jobs(report: Any) -> list[list[Any]]:
    return [[row["job"], row["tests"]] for part in report["tests"] for row in part["jobs"]]


# What json lists, and what a line of text begins with that lists one of it.
CASES: list[tuple[str, Rows, str]] = [
    ("labels --base HEAD~1", fields("labels", "label", "reason"), r"    reason: |  \S+: \S"),
    ("jobs", fields("files", "path", "tests"), r"  test/"),
    ("jobs test/test_configs.py", jobs, r"  tests-|  unit"),
    ("configs", fields("configs", "config"), r"\w+Config  "),
    ("api-diff v0.13.0 v0.14.0", fields("changes", "symbol"), r"  torchrl"),
    ("deprecations", fields("announcements", "path", "line", "text"), r"  torchrl"),
    ("rules", fields("rules", "rule", "severity", "summary"), r"[a-z-]+ "),
    (
        "explain gpu-marker-missing",
        lambda it: [[it["name"], it["severity"], it["documentation"]]],
        r"gpu-marker-mi.*\(",
    ),
]


@pytest.mark.parametrize(("command", "rows", "start"), CASES, ids=[case[0] for case in CASES])
def test_every_format_of_a_subcommand_holds_the_same(rich, lint, command, rows, start) -> None:
    outcomes = {name: lint(rich, *command.split(), "--format", name) for name in ("json", "text", "markdown")}
    assert {outcome.status for outcome in outcomes.values()} == {0}, outcomes
    listed = rows(json.loads(outcomes["json"].out))
    assert listed
    for name in ("text", "markdown"):
        out = outcomes[name].out.replace("\\|", "|")
        assert [row for row in listed if not all(str(value) in out for value in row)] == []
    assert len(re.findall(f"^(?:{start})", outcomes["text"].out, re.MULTILINE)) == len(listed), outcomes["text"].out
