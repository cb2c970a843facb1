"""Reports and their exit status, tables, needs: plain values in, plain values out."""

from __future__ import annotations

import json

import pytest
from torchrl_preflight.checks.needs import unmet
from torchrl_preflight.checks.outcome import Unverified
from torchrl_preflight.checks.record import Check, Entry, Report
from torchrl_preflight.checks.report import listing, render
from torchrl_preflight.checks.table import known, row

ENVIRONMENT = {
    "python": "3.11.7",
    "torch": "2.14.1",
    "tensordict": "0.14.3",
    "torchrl": None,
    "torchrl_file": "/rl/torchrl/__init__.py",
    "extension": "does not",
    "gpus": [],
}
CHECKS = (
    Check("envs/one", "envs", "cpu", "passed", seconds=0.2),
    Check("envs/two", "envs", "cpu", "passed", warnings=("W: a", "W: b", "W: c", "W: d", "W: e")),
    Check("envs/three", "envs", "cpu", "unverified", "x is not installed", "pip install x"),
    Check("envs/four", "envs", "cpu", "failed", "a | b <c>\nd", seconds=1.0),
)
REPORT = Report(ENVIRONMENT, CHECKS)

TEXT = """\
torchrl of unknown version (/rl/torchrl/__init__.py), tensordict 0.14.3, torch 2.14.1, Python 3.11.7, \
C++ extension does not load, no GPU

failed      envs/four
            a | b <c> d

unverified  envs/three
            x is not installed
            -> pip install x

passed      envs/two
            W: a
            W: b
            W: c
            and 2 more warnings, all in --format json

2 passed, 1 unverified, 1 failed in 1.2 s"""

MARKDOWN = """\
**2 passed, 1 unverified, 1 failed in 1.2 s**

torchrl of unknown version (/rl/torchrl/__init__.py), tensordict 0.14.3, torch 2.14.1, Python 3.11.7, \
C++ extension does not load, no GPU

| status | check | reason | what to do |
| --- | --- | --- | --- |
| failed | `envs/four` | a \\| b &lt;c> d |  |
| unverified | `envs/three` | x is not installed | pip install x |
| passed | `envs/two` | W: a<br>W: b<br>W: c<br>and 2 more warnings, all in --format json |  |"""


def test_text() -> None:
    assert render(REPORT, "text") == TEXT


def test_markdown() -> None:
    assert render(REPORT, "markdown") == MARKDOWN


def test_json_holds_all_of_it() -> None:
    read = json.loads(render(REPORT, "json"))
    assert read["environment"] == ENVIRONMENT
    assert [Check(**check | {"warnings": tuple(check["warnings"])}) for check in read["checks"]] == list(CHECKS)


def test_list() -> None:
    entries = [
        Entry("envs/one", "envs", "cpu", (), "It is one."),
        Entry("envs/second", "envs", "gpu", ("cuda", "x"), "It is | two."),
    ]
    assert listing(entries, "text") == (
        "envs/one     cpu       It is one.\nenvs/second  gpu       It is | two. (needs cuda, x)"
    )
    assert listing(entries, "markdown").splitlines()[2:] == [
        "| `envs/one` | cpu |  | It is one. |",
        "| `envs/second` | gpu | cuda, x | It is \\| two. |",
    ]
    assert json.loads(listing(entries, "json"))["checks"][1] == {
        "id": "envs/second",
        "area": "envs",
        "tier": "gpu",
        "needs": ["cuda", "x"],
        "summary": "It is | two.",
    }


@pytest.mark.parametrize(
    ("statuses", "required", "expected"),
    [
        (["passed"], [], 0),
        (["passed", "unverified"], [], 0),
        (["passed", "unverified"], ["passed"], 0),
        (["passed"], ["unverified"], 3),
        (["passed"], ["blocked"], 3),
        (["unverified"], [], 3),
        (["unverified"], ["passed"], 3),
        (["blocked"], [], 3),
        ([], [], 3),
        (["passed", "failed"], [], 1),
        (["failed"], ["unverified"], 1),
        (["failed", "blocked"], [], 1),
    ],
)
def test_exit_status(statuses: list[str], required: list[str], expected: int) -> None:
    checks = [Check(f"envs/{index}", "envs", "cpu", status) for index, status in enumerate(statuses)]
    checks += [Check(f"require/{index}", "require", "cpu", status) for index, status in enumerate(required)]
    assert Report({}, tuple(checks)).exit_status == expected


ROW = {"error": "KeyError", "reason": "it is old"}


def test_a_failure_that_the_table_knows_is_unverified() -> None:
    with pytest.raises(Unverified, match="known exception: it is old"), known(ROW, [].append):
        raise KeyError("x")


def test_another_failure_than_the_table_knows_is_a_failure() -> None:
    with pytest.raises(ValueError, match="x"), known(ROW, [].append):
        raise ValueError("x")


def test_a_failure_without_a_row_is_a_failure() -> None:
    with pytest.raises(KeyError), known(None, [].append):
        raise KeyError("x")


def test_a_failure_that_is_gone_asks_for_the_table_to_be_updated() -> None:
    notes: list[str] = []
    with known(ROW, notes.append):
        pass
    assert notes == ["improved, update the table: this was known to fail (it is old)"]


def test_a_row_may_name_words_of_the_message() -> None:
    worded = ROW | {"words": "no key"}
    with pytest.raises(Unverified), known(worded, [].append):
        raise KeyError("there is no key x")
    with pytest.raises(KeyError, match="another"), known(worded, [].append):
        raise KeyError("another")


def test_the_row_of_a_check_is_the_first_that_lists_it() -> None:
    table = {"known": [{"checks": ["a/b"], "reason": "one"}, {"checks": ["a/b", "a/c"], "reason": "two"}]}
    assert [
        found and found["reason"] for found in (row(table, "a/b"), row(table, "a/c"), row(table, "a"), row({}, "a/b"))
    ] == [
        "one",
        "two",
        None,
        None,
    ]


def test_needs(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [unmet(need) for need in ("pytest", "hydra-core", "hydra", "torchrl.envs.EnvBase", "ext")] == [None] * 5
    assert unmet("no.such.thing") == ("no.such.thing is not installed", "pip install no.such.thing")
    assert unmet("open-spiel") == ("open-spiel is not installed", "pip install 'torchrl[open_spiel]'")
    many = unmet("cuda:99")
    assert many is not None
    assert many.reason.startswith("torch ")


def test_a_folder_of_the_same_name_is_no_package(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("place")
    (folder / "vmas").mkdir()
    monkeypatch.syspath_prepend(str(folder))
    trouble = unmet("vmas")
    assert trouble is not None
    assert trouble.reason == "vmas is not installed"
