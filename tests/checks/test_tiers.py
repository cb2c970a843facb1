"""The cases of a sweep, each in its tier: which are run, and which are not even made."""

from __future__ import annotations

from pathlib import Path

import pytest
from torchrl_preflight.checks import run

from .conftest import Site

SWEEPS = """
import pathlib
import pytest

full = pytest.mark.tier("full")
MADE = pathlib.Path({made!r})

def name(case):
    MADE.write_text(MADE.read_text() + case + " ")
    return case

@pytest.mark.parametrize("case", ["one", pytest.param("two", marks=full), "three"], ids=name)
def test_mixed(case): pass

@pytest.mark.parametrize("case", ["a", pytest.param("b", marks=full)])
@pytest.mark.parametrize("other", ["x", pytest.param("y", marks=[pytest.mark.limit(5), full])])
def test_crossed(case, other): pass

@pytest.mark.parametrize("case", [pytest.param("four", marks=full), pytest.param("five", marks=pytest.mark.tier("mp"))])
def test_elsewhere(case): pass

@full
@pytest.mark.parametrize("case", ["six", "seven"])
def test_whole(case): pass
"""

IDS = {
    "cpu": ["mixed/one", "mixed/three", "crossed/x/a"],
    "full": [
        "mixed/two",
        "crossed/x/b",
        "crossed/y/a",
        "crossed/y/b",
        "elsewhere/four",
        "whole/six",
        "whole/seven",
    ],
    "mp": ["elsewhere/five"],
    "compile": [],
}


@pytest.fixture
def sweeps(site: Site, tmp_path: Path) -> Path:
    """A module with sweeps; beside it is written which cases of the first were made."""
    site.trio()
    made = tmp_path / "made"
    made.write_text("")
    (tmp_path / "sweeps.py").write_text(SWEEPS.format(made=str(made)))
    return tmp_path / "sweeps.py"


@pytest.mark.parametrize("tier", IDS)
def test_every_case_is_of_one_tier(sweeps: Path, tier: str) -> None:
    report = run.run([sweeps], tier=tier)
    assert [(check.id, check.tier, check.status) for check in report.checks] == [
        (f"sweeps/{name}", tier, "passed") for name in IDS[tier]
    ]


def test_the_cpu_tier_does_not_make_the_cases_of_others(sweeps: Path) -> None:
    run.run([sweeps])
    assert sweeps.with_name("made").read_text().split() == ["one", "three"]


def test_other_tiers_make_them_all(sweeps: Path) -> None:
    run.run([sweeps], tier="full")
    assert sweeps.with_name("made").read_text().split() == ["one", "two", "three"]
