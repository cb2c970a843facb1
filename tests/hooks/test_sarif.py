"""SARIF as its schema has it, and edits as replacements of lines."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from torchrl_preflight.hooks.concrete import Editable
from torchrl_preflight.hooks.finding import Edit
from torchrl_preflight.hooks.report import Style, render
from torchrl_preflight.hooks.report.edits import Replacement, replacements, suggested

from .test_report import FORGED, MANY, PATCH, finding, report

SCHEMA = json.loads((Path(__file__).parent / "data" / "sarif-2.1.0.json").read_text())


def sarif(findings, style: Style | None = None, **more) -> dict:
    log = json.loads(render("sarif", report(findings, **more), style or Style()))
    jsonschema.validate(log, SCHEMA, jsonschema.Draft7Validator, format_checker=jsonschema.FormatChecker())
    return log["runs"][0]


def test_the_schema_is_a_schema_and_refuses() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    with pytest.raises(jsonschema.ValidationError, match="'fatal' is not one of"):
        jsonschema.validate(
            {
                "version": "2.1.0",
                "runs": [
                    {"tool": {"driver": {"name": "x"}}, "results": [{"message": {"text": "x"}, "level": "fatal"}]}
                ],
            },
            SCHEMA,
        )


@pytest.mark.parametrize(
    "items",
    [[], MANY, [finding(1, path=text, symbol=text, message=text, also_touch=(text,)) for text in FORGED]],
    ids=["none", "many", "hostile"],
)
def test_a_log_is_valid(items) -> None:
    assert len(sarif(items, notes=["a note {0}"], fixed=["a b.py"])["results"]) == len(items)


def test_one_result() -> None:
    item = finding(
        1,
        path="test/a b: \u00e9.py",
        message="50% of {x} and [a](1), [b]",
        column=5,
        end_line=9,
        edit=Edit(PATCH, True),
        also_touch=("docs/a.rst",),
        verify="pytest -k a",
    )
    run = sarif([item, finding(4, "advisory", new=False, line=None)], rules={"rule-1": "a rule"})
    assert run["tool"]["driver"] == {
        "name": "torchrl-lint",
        "rules": [
            {
                "id": "rule-1",
                "shortDescription": {"text": "a rule"},
                "fullDescription": {"text": "a rule"},
                "help": {"text": "torchrl-lint explain rule-1"},
            }
        ],
    }
    result, other = run["results"]
    fingerprint = result.pop("partialFingerprints")["finding/v1"]
    assert len(fingerprint) == 32
    assert result == {
        "ruleId": "rule-1",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": "50% of {{x}} and \\[a](1), [b]\nWhat to do: hint 1\nVerify: pytest -k a"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "test/a%20b%3A%20%C3%A9.py"},
                    "region": {"startLine": 2, "startColumn": 5, "endLine": 9},
                },
                "logicalLocations": [{"fullyQualifiedName": "test_1"}],
            }
        ],
        "baselineState": "new",
        "relatedLocations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": "docs/a.rst"}},
                "message": {"text": "to be changed with it"},
            }
        ],
        "fixes": [
            {
                "description": {"text": "the edit of torchrl-lint --fix"},
                "artifactChanges": [
                    {
                        "artifactLocation": {"uri": "test/test_a.py"},
                        "replacements": [
                            {
                                "deletedRegion": {"startLine": 1, "startColumn": 1, "endLine": 2, "endColumn": 1},
                                "insertedContent": {"text": "import pytest\n@pytest.mark.gpu\n"},
                            }
                        ],
                    }
                ],
            }
        ],
    }
    assert (other["level"], other["baselineState"]) == ("note", "unchanged")
    assert "region" not in other["locations"][0]["physicalLocation"]


def test_fingerprints_tell_twins_apart_and_do_not_depend_on_the_line() -> None:
    def prints(*lines: int) -> list[str]:
        items = [finding(1, line=line, text="x = 1") for line in lines]
        return [result["partialFingerprints"]["finding/v1"] for result in sarif(items)["results"]]

    assert prints(3, 9) == prints(5, 70)
    assert len(set(prints(3, 9))) == 2


def test_what_is_suppressed_says_by_what() -> None:
    items = [finding(1, suppressed="waiver rule-1 x"), finding(2, suppressed="a.py:3 rule-2")]
    assert sarif(items)["results"] == []
    shown = sarif(items, Style(suppressed=True))["results"]
    assert [result["suppressions"] for result in shown] == [
        [{"kind": "external", "justification": "waiver rule-1 x"}],
        [{"kind": "inSource", "justification": "a.py:3 rule-2"}],
    ]


def apply(data: bytes, parts: list[Replacement]) -> bytes:
    lines = data.decode().replace("\n", "\n\0").split("\0")
    for part in sorted(parts, reverse=True):
        lines[part.first - 1 : part.last] = [part.text]
    return "".join(lines).encode()


text = st.lists(st.sampled_from(["a", "b", "--- c", "+++ d", "@@ -1 +1 @@", "", "e\r"]), max_size=12).map("\n".join)


@settings(deadline=None)
@given(text, text)
def test_replacements_do_what_the_patch_does(before: str, after: str) -> None:
    parts = replacements(Editable("x.py", before.encode()).patch(after.encode()))
    assert all(part.last >= part.first for part in parts)
    if before:
        assert apply(before.encode(), parts) == after.encode()


def test_replacements_of_several_files_with_odd_names() -> None:
    names = ['a "b\\c".py', "caf\u00e9 \t.py", "plain.py"]
    patch = "".join(Editable(name, b"x\ny\n").patch(b"y\n") for name in names)
    assert replacements(patch) == [Replacement(name, 1, 1, "") for name in names]


def test_a_patch_with_bytes_that_are_no_text_stays_a_patch() -> None:
    patch = Editable("a.py", b"x = 'caf\xe9'\n").patch(b"y = 'caf\xe9'\n")
    assert replacements(patch) == []
    assert "fixes" not in sarif([finding(1, edit=Edit(patch, True))])["results"][0]


def test_suggested_edits() -> None:
    items = [finding(1, edit=Edit(PATCH, True)), finding(2), finding(4, edit=Edit(PATCH, True), suppressed="waiver")]
    assert json.loads(suggested(report(items))) == {
        "schema": 1,
        "edits": [
            {
                "rule": "rule-1",
                "path": "test/test_1.py",
                "line": 2,
                "symbol": "test_1",
                "safe": True,
                "replacements": [
                    {"path": "test/test_a.py", "first": 1, "last": 1, "text": "import pytest\n@pytest.mark.gpu\n"}
                ],
            }
        ],
    }
